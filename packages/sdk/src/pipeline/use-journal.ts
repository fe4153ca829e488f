import type { CallOutcome } from '../retry/classify.ts';
import { CallEndedError, type CallJournal, createCallJournal } from '../write/call-journal.ts';
import type { CallContext } from './call-context.ts';
import { createCallError, type FailedCall } from './call-error.ts';

/**
 * Uses the journal before a call sends anything, at most until the call ends: then it throws the error of the call. A signal
 * ends no write to the journal that is in progress, only reads. `outcome` is what the error says of the operation, if it
 * is about an earlier call.
 */
export async function useJournal<T>(
  context: FailedCall & Pick<CallContext<unknown>, 'deadline'>,
  operationId: string,
  work: (journal: CallJournal) => Promise<T>,
  outcome?: CallOutcome,
): Promise<T> {
  const { client, deadline } = context;
  const waitForRead = (answer: Promise<unknown>) => deadline.sleep(Infinity, answer);
  try {
    return await work(createCallJournal(client.journal, deadline.finish, waitForRead));
  } catch (cause) {
    if (!(cause instanceof CallEndedError)) throw cause;
    const result = { answer: 'stopped', ...cause.callEnd } as const;
    throw createCallError(context, result, outcome ?? cause.outcome, { operationId });
  }
}
