import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../../context.ts';
import { Failure } from '../../failure.ts';
import type { Plan } from '../plan/document.ts';
import { sentSteps } from './journaled.ts';
import { verdictOf } from './outcome.ts';
import { type Applied, run } from './run.ts';

/**
 * Finds out what became of the steps an earlier run had sent, before something else is planned: each is sent again
 * under its id. What stays open ends the command, unless `giveUp`: then it stays in the journal.
 */
export async function settle(
  context: Context,
  client: OrgChatClient,
  plan: Plan,
  giveUp: boolean,
): Promise<Applied> {
  const result = await run(context, client, await sentSteps(client, plan), { goOn: true });
  context.interrupt.signal.throwIfAborted();
  const open = result.failed.filter(({ failure }) => verdictOf(failure) !== 'refused');
  const [first] = open;
  if (first === undefined) return result;
  const hindered = open.find(({ failure }) => ['hindered', 'elsewhere'].includes(verdictOf(failure)));
  if (hindered !== undefined) throw hindered.failure;
  const ids = open.map(({ step }) => step.operationId).join(', ');
  if (giveUp) {
    context.output.warn(`whether ${ids} was applied is not known; see orgchat ops list --unsettled`);
    return result;
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
