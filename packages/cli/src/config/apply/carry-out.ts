import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { Plan } from '../plan/document.ts';
import { remember } from './agreement.ts';
import { type ApplyLock, takenOver } from './apply-lock.ts';
import { type Ending, endingOf } from './outcome.ts';
import { report, resultDocument } from './report.ts';
import { run } from './run.ts';
import type { Sending } from './send-step.ts';
import { findTwins, twinsFailure } from './twins.ts';

/** Applies a plan, remembers what is now the same on both sides, and says what came of it. */
export async function carryOut(
  context: Context,
  client: OrgChatClient,
  plan: Plan,
  { sending, lock }: { readonly sending: Sending; readonly lock: ApplyLock },
  keep: (ending: Ending) => Promise<void>,
): Promise<void> {
  const result = await run(context, client, plan.steps, { sending, mayBegin: () => lock.isHeld() });
  if (!lock.isHeld()) throw takenOver();
  const ending = endingOf(result);
  await remember(plan, result, ending.exit === exitCodes.done);
  await keep(ending);
  const twins = ending.exit === exitCodes.done ? await findTwins(context, client, result, sending) : [];
  if (twins.length > 0) throw twinsFailure(twins, resultDocument(plan, result));
  await report(context, plan, result, ending);
}
