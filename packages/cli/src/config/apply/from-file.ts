import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../../context.ts';
import type { ConfigFile } from '../file/read.ts';
import { organizationIdOf } from '../organization.ts';
import type { Plan } from '../plan/document.ts';
import { namesIn } from '../plan/print.ts';
import { show, warn } from '../plan/show.ts';
import { type Prepared, prepare } from '../prepare.ts';
import { remember } from './agreement.ts';
import { type ApplyLock, type Place, withApplyLock } from './apply-lock.ts';
import { approve } from './approve.ts';
import { carryOut } from './carry-out.ts';
import type { PlanApplyOptions } from './from-plan.ts';
import { type Earlier, KeptPlan } from './kept.ts';
import type { Sending } from './send-step.ts';
import { settle } from './settle.ts';
import { checkLabels, sendingOf, takenFailure } from './taken.ts';
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
  const { baseUrl } = (await context.connect()).target;
  const place = { baseUrl, organizationId: await organizationIdOf(context) };
  const prune = options.prune === true;
  if (options.dryRun) {
    const earlier = await earlierOf(new KeptPlan(file, place, prune), options);
    return preview(context, options, file, earlier);
  }
  await withApplyLock(context, place, options.lockTimeout ?? 0, (lock) =>
    applyLocked(context, options, file, place, lock),
  );
}

/** A plan to carry out, with what was seen of the records it creates since it was made. */
interface Current {
  readonly plan: Plan;
  readonly wasSeen: Sending['wasSeen'];
}

async function applyLocked(
  context: Context,
  options: FileApplyOptions,
  file: ConfigFile,
  place: Place,
  lock: ApplyLock,
): Promise<void> {
  const client = await context.client();
  const prune = options.prune === true;
  const kept = new KeptPlan(file, place, prune);
  const earlier = await earlierOf(kept, options);
  const { going, givenUp } = await resumed(context, client, options, kept, earlier, lock);
  const current = going ?? (await approved(context, client, options, await prepare(context, file, prune)));
  const plan = givenUp.length === 0 ? current.plan : { ...current.plan, givenUp: [...givenUp] };
  const isOurs = plan.steps.length > 0;
  if (isOurs && going === undefined) await kept.begin(plan);
  const sending = sendingOf(plan, 'repeat', current.wasSeen);
  await carryOut(context, client, plan, { sending, lock }, async (ending) => {
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
  options: FileApplyOptions,
  file: ConfigFile,
  earlier: Earlier | undefined,
): Promise<void> {
  if (earlier !== undefined) noteUnfinished(context, earlier);
  const prepared = earlier?.goesOn
    ? { plan: earlier.plan, nameOf: namesIn(earlier.plan) }
    : await prepare(context, file, options.prune === true);
  warn(context, prepared.plan);
  await show(context, prepared, earlier && unfinishedOf(earlier), options);
}

interface Resumed {
  readonly going?: Current;
  /** Operations of earlier runs that were given up. */
  readonly givenUp: readonly string[];
}

/** The plan of an earlier run if it can be continued; otherwise that run is settled, and there is none. */
async function resumed(
  context: Context,
  client: OrgChatClient,
  { replan }: FileApplyOptions,
  kept: KeptPlan,
  earlier: Earlier | undefined,
  lock: ApplyLock,
): Promise<Resumed> {
  if (earlier === undefined) return { givenUp: [] };
  const { plan } = earlier;
  const before = plan.givenUp ?? [];
  noteUnfinished(context, earlier);
  const { taken, wasSeen } = await checkLabels(context, client, plan);
  if (earlier.goesOn && taken.length === 0) return { going: { plan, wasSeen }, givenUp: before };
  if (earlier.goesOn)
    context.output.note('Someone else created records of this plan in the meantime; planning again.');
  const sending = sendingOf(plan, 'exact', wasSeen);
  const { result, givenUp } = await settle(context, client, plan, { sending, lock, giveUp: replan === true });
  await remember(plan, result, false);
  await kept.remove();
  return { givenUp: [...before, ...givenUp] };
}

async function approved(
  context: Context,
  client: OrgChatClient,
  { forceConflicts, showUnmanaged }: FileApplyOptions,
  prepared: Prepared,
): Promise<Current> {
  const { plan } = prepared;
  warn(context, plan);
  const asked = await approve(context, prepared, {
    showUnmanaged,
    forceConflicts: forceConflicts === true,
    askAlways: true,
  });
  // Somebody may have thought about it for long.
  const { taken, wasSeen } = asked
    ? await checkLabels(context, client, plan)
    : { taken: [], wasSeen: () => false };
  if (taken.length > 0) throw takenFailure(taken);
  return { plan, wasSeen };
}
