import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../../context.ts';
import { Failure } from '../../failure.ts';
import type { Plan } from '../plan/document.ts';
import { type ApplyLock, takenOver } from './apply-lock.ts';
import { sentSteps } from './journaled.ts';
import { verdictOf } from './outcome.ts';
import { type Applied, run } from './run.ts';
import type { Sending } from './send-step.ts';

interface SettleOptions {
  readonly sending: Sending;
  readonly lock: ApplyLock;
  /** Whether to leave open steps to the journal instead of ending the command. */
  readonly giveUp: boolean;
}

interface Settled {
  readonly result: Applied;
  /** Operations whose outcome stays unknown, and that the user gave up. */
  readonly givenUp: readonly string[];
}

/**
 * Finds out what became of the steps an earlier run had sent, before something else is planned: each is sent again
 * under its id. What stays open ends the command, unless `giveUp`: then it stays in the journal.
 */
export async function settle(
  context: Context,
  client: OrgChatClient,
  plan: Plan,
  { sending, lock, giveUp }: SettleOptions,
): Promise<Settled> {
  const steps = await sentSteps(client, plan);
  const result = await run(context, client, steps, { sending, mayBegin: () => lock.isHeld(), goOn: true });
  if (!lock.isHeld()) throw takenOver();
  context.interrupt.signal.throwIfAborted();
  const open = result.failed.filter(({ failure }) => verdictOf(failure) !== 'refused');
  const [first] = open;
  if (first === undefined) return { result, givenUp: [] };
  const hindered = open.find(({ failure }) => ['hindered', 'elsewhere'].includes(verdictOf(failure)));
  if (hindered !== undefined) throw hindered.failure;
  const givenUp = open.flatMap(({ failure: { operationId } }) => operationId ?? []);
  const ids = givenUp.join(', ');
  if (giveUp) {
    context.output.warn(`whether ${ids} was applied is not known; see orgchat ops list --unsettled`);
    return { result, givenUp };
  }
  const { message, code, exit, operationId } = first.failure;
  throw new Failure(`An earlier apply of this file is not settled, so nothing new is planned: ${message}`, {
    code,
    exit,
    hint: `Run it again later, or give up on ${ids} and plan anew: --replan`,
    operationId,
    cause: first.failure,
  });
}
