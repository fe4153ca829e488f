import { endpoints } from '../generated/endpoints.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { type ErrorDetails, type ErrorOutcome, OrgChatError } from './base.ts';
import { formatRequest } from './message.ts';
import { NotFoundError } from './refused.ts';

/**
 * An earlier run of an `edit()` made this attempt, and it was refused as stale. Its operation id cannot be used again,
 * so `edit()` continues with the next one. No caller sees this error.
 */
export class EarlierAttemptStaleError extends OrgChatError {}

/** The endpoint of each kind of write. */
const endpointByKind = { change: 'changeChat', keywords: 'addSeoKeywords' } as const;

/** Creates the error for an operation that is refused before anything is sent. `why` completes the sentence. */
export function createOperationError(
  type: new (message: string, details: ErrorDetails) => OrgChatError,
  code: string,
  { operationId, kind, path }: Pick<JournalEntry, 'operationId' | 'kind' | 'path'>,
  why: string,
  outcome: ErrorOutcome,
  retryAt?: Date,
): OrgChatError {
  const meaning = code === 'INPUT_CONFLICT' ? 'inputConflict' : undefined;
  const operation = endpointByKind[kind];
  const where = formatRequest({ method: endpoints[operation].method, path }, code);
  const details = { code, operation, meaning, operationId, outcome, retryAt } as const;
  return new type(`Operation ${operationId} ${why}. Nothing was sent. ${where}`, details);
}

/** Creates the error for an operation that the journal does not have. */
export function createUnknownOperationError(operationId: string): NotFoundError {
  const message = `Operation ${operationId} is not in the journal for this base URL and API key. Nothing was sent. operations.list() returns what is in it.`;
  return new NotFoundError(message, { code: 'UNKNOWN_OPERATION', operationId });
}

/** Creates the error for a write that is called after `drain()`. */
export function createDrainingError(operationId: string): OrgChatError {
  const code = 'CLIENT_DRAINING';
  const message = `Operation ${operationId} was not started: the client accepts no writes after operations.drain(). Nothing was sent. (${code})`;
  return new OrgChatError(message, { code, operationId, outcome: 'abandoned' });
}
