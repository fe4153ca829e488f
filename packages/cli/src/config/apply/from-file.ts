import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../../context.ts';
import type { ConfigFile } from '../file/read.ts';
import { organizationIdOf } from '../organization.ts';
import type { Plan } from '../plan/document.ts';
import { namesIn } from '../plan/print.ts';
import { show, warn } from '../plan/show.ts';
import { type Prepared, prepare } from '../prepare.ts';
import { remember } from './agreement.ts';
import { approve } from './approve.ts';
import { carryOut } from './carry-out.ts';
import type { PlanApplyOptions } from './from-plan.ts';
import { type Earlier, KeptPlan } from './kept.ts';
import { settle } from './settle.ts';
import { takenFailure, takenLabels } from './taken.ts';
import { noteUnfinished, unfinishedOf } from './unfinished.ts';

export interface FileApplyOptions extends PlanApplyOptions {
  readonly prune?: true;
  readonly replan?: true;
}

/** Plans a file and applies the plan, or goes on with the plan of an earlier run. */
export async function applyFile(
  context: Context,
  options: FileApplyOptions,
  file: ConfigFile,
): Promise<void> {
  const prune = options.prune === true;
  const { client, target } = await context.connect();
  const organizationId = await organizationIdOf(context);
  const kept = new KeptPlan(file, { baseUrl: target.baseUrl, organizationId }, prune);
  const earlier = await earlierOf(kept, options);
  if (options.dryRun) return preview(context, file, prune, earlier);
  const going = earlier && (await resumed(context, client, options, kept, earlier));
  const plan = going ?? (await approved(context, client, options, await prepare(context, file, prune)));
  const isOurs = plan.steps.length > 0;
  if (isOurs && going === undefined) await kept.begin(plan);
  await carryOut(context, client, plan, async (ending) => {
    if (!isOurs) return;
    if (ending.plan === 'over') await kept.remove();
    else await kept.keep(plan, { over: ending.plan === 'open' });
  });
}

async function earlierOf(kept: KeptPlan, { replan }: FileApplyOptions): Promise<Earlier | undefined> {
  const earlier = await kept.read();
  return earlier && { ...earlier, goesOn: earlier.goesOn && !replan };
}

/** What apply would do: go on with an unfinished plan, or make a new one. */
async function preview(
  context: Context,
  file: ConfigFile,
  prune: boolean,
  earlier: Earlier | undefined,
): Promise<void> {
  if (earlier !== undefined) noteUnfinished(context, earlier);
  const prepared = earlier?.goesOn
    ? { plan: earlier.plan, nameOf: namesIn(earlier.plan) }
    : await prepare(context, file, prune);
  warn(context, prepared.plan);
  await show(context, prepared, earlier && unfinishedOf(earlier));
}

/** The plan of an earlier run where it can be gone on with; else that run is settled, and there is none. */
async function resumed(
  context: Context,
  client: OrgChatClient,
  { replan }: FileApplyOptions,
  kept: KeptPlan,
  earlier: Earlier,
): Promise<Plan | undefined> {
  const { plan } = earlier;
  noteUnfinished(context, earlier);
  const isCurrent = earlier.goesOn && (await takenLabels(context, client, plan)).length === 0;
  if (isCurrent) return plan;
  if (earlier.goesOn) context.output.note('Its records were made by somebody else meanwhile; planning anew.');
  await remember(plan, await settle(context, client, plan, replan === true), false);
  await kept.remove();
  return undefined;
}

async function approved(
  context: Context,
  client: OrgChatClient,
  { forceConflicts }: FileApplyOptions,
  prepared: Prepared,
): Promise<Plan> {
  const { plan } = prepared;
  warn(context, plan);
  const asked = await approve(context, prepared, {
    forceConflicts: forceConflicts === true,
    askAlways: true,
  });
  // Somebody may have thought about it for long.
  const taken = asked ? await takenLabels(context, client, plan) : [];
  if (taken.length > 0) throw takenFailure(taken);
  return plan;
}
