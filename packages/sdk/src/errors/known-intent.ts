import type { ChangeOutcome } from '../operations/change-outcome.ts';
import type { OrgChatError } from './base.ts';
import { OutcomeUnknownError } from './outcome-unknown.ts';

/**
 * Creates the error for an intent that the server knows with other input, so that an earlier call with it was
 * applied, while a read does not show its effect. `shown` completes the sentence.
 */
export function createKnownIntentError(
  conflict: OrgChatError,
  shown: string,
  resume?: () => Promise<ChangeOutcome>,
): OutcomeUnknownError {
  const { operationId, code, status, requestId, operation, attempts, headers } = conflict;
  const message = `Operation ${operationId} may or may not have been applied: the server knows this intent, and ${shown}. Nothing was sent again. ${conflict.message}`;
  const details = { operation, operationId, attempts, status, requestId, headers, cause: conflict, resume };
  return new OutcomeUnknownError(message, {
    code: 'OUTCOME_UNKNOWN',
    outcome: 'unknown',
    reason: code,
    ...details,
  });
}
