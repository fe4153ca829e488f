import { intentKnown } from '../journal/entries.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { OutcomeUnknownError } from './outcome-unknown.ts';

/** What it means that the server knows the id of a write with other input. */
export const knownIntentText =
  'The server knows this id or intent with other input: an earlier call with it was applied, is uncertain, or is still running. Read the records to see what it did.';

/** Creates the error for an operation of the journal whose id the server knows with other input. */
export function createKnownIntentError({ operationId, error }: JournalEntry): OutcomeUnknownError {
  const message = `Operation ${operationId} may or may not have been applied. ${knownIntentText} Nothing was sent.`;
  return new OutcomeUnknownError(message, {
    code: 'OUTCOME_UNKNOWN',
    reason: intentKnown,
    outcome: 'unknown',
    operation: 'changeChat',
    operationId,
    status: error?.status,
    requestId: error?.requestId,
  });
}
