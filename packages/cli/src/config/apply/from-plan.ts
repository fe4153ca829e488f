import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { organizationIdOf, readOrganization } from '../organization.ts';
import type { Plan } from '../plan/document.ts';
import { namesIn } from '../plan/print.ts';
import { checkShown } from '../plan/seal.ts';
import { show } from '../plan/show.ts';
import { withApplyLock } from './apply-lock.ts';
import { approve } from './approve.ts';
import { carryOut } from './carry-out.ts';
import { checkLabels, sendingOf, takenFailure } from './taken.ts';

export interface PlanApplyOptions {
  readonly dryRun?: true;
  readonly forceConflicts?: true;
  readonly showUnmanaged?: true;
  /** How long to wait for another apply, in milliseconds. */
  readonly lockTimeout?: number;
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
  const organization = await readOrganization(context, organizationId);
  checkShown(plan, organization);
  const prepared = { plan, nameOf: namesIn(plan, organization) };
  if (options.dryRun) return show(context, prepared, undefined, options);
  await withApplyLock(context, plan, options.lockTimeout ?? 0, async (lock) => {
    await approve(context, prepared, {
      ...options,
      forceConflicts: options.forceConflicts === true,
      askAlways: false,
    });
    const { taken, wasSeen } = await checkLabels(context, client, plan);
    if (taken.length > 0) throw takenFailure(taken);
    const sending = sendingOf(plan, 'exact', wasSeen);
    await carryOut(context, client, plan, { sending, lock }, async () => {});
  });
}
