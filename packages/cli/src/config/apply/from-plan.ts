import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { organizationIdOf } from '../organization.ts';
import type { Plan } from '../plan/document.ts';
import { namesIn } from '../plan/print.ts';
import { show } from '../plan/show.ts';
import { approve } from './approve.ts';
import { carryOut } from './carry-out.ts';
import { takenFailure, takenLabels } from './taken.ts';

export interface PlanApplyOptions {
  readonly dryRun?: true;
  readonly forceConflicts?: true;
}

/** Applies a plan that was made and looked at before. */
export async function applyPlan(context: Context, options: PlanApplyOptions, plan: Plan): Promise<void> {
  const { client, target } = await context.connect();
  const organizationId = await organizationIdOf(context);
  if (organizationId !== plan.organizationId || target.baseUrl !== plan.baseUrl) {
    throw new Failure(
      `The plan is for the organization ${plan.organizationId} at ${plan.baseUrl}, not for ${organizationId} at ${target.baseUrl}.`,
      {
        code: 'PLAN_OF_ANOTHER_ORGANIZATION',
        exit: exitCodes.conflict,
        hint: 'Make a plan for this one: orgchat config plan FILE -o PLAN',
      },
    );
  }
  const prepared = { plan, nameOf: namesIn(plan) };
  if (options.dryRun) return show(context, prepared);
  await approve(context, prepared, { forceConflicts: options.forceConflicts === true, askAlways: false });
  const taken = await takenLabels(context, client, plan);
  if (taken.length > 0) throw takenFailure(taken);
  await carryOut(context, client, plan, async () => {});
}
