import { OutcomeUnknownError } from '@orgchat/sdk';

/**
 * What follows for work whose call rejected.
 *
 * - `retryable`: it was not applied, and is sent again.
 * - `waiting`: it was not applied, for a reason that is not its own: nothing reached the server, the API key was refused, or a
 *   limit was reached. It is sent again when that is over.
 * - `unknown`: it may be applied, or an earlier call applied it and this one could not ask. A change is sent again under the
 *   same id, and applied once.
 * - `final`: it is refused for what it is, so the same work would be refused again.
 * - `gone`: the whole address is gone (410), such as a sandbox that was deleted. Nothing is sent there again, and what an
 *   earlier request did can no longer be asked. With a client of another base URL, it is sent again under the same id.
 * - `known-intent`: the server knows its id with other work. An earlier call with it was applied, is uncertain or is still
 *   running, so sending it again can tell nothing more.
 */
export type ErrorKind = 'retryable' | 'waiting' | 'unknown' | 'final' | 'gone' | 'known-intent';

/** The fields of an error of the SDK that decide. Any other error has none of them. */
export interface DecidingFields {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly meaning?: unknown;
  readonly outcome?: unknown;
  readonly reason?: unknown;
  readonly retryAt?: unknown;
}

/**
 * Meanings of an answer that says something about the work itself. A revision that is stale stays so: the work names it,
 * and cannot be made from the record as it is now.
 */
const finalMeanings: readonly unknown[] = ['invalidInput', 'notFound', 'staleRevision'];
/** Statuses of a refused API key, and of a limit that is reached. */
const waitingStatuses: readonly unknown[] = [401, 403, 429];
/** The status of an address that is gone for good. */
const goneStatus = 410;
/** Codes of the SDK that say the same as a final meaning, without a request. */
const finalCodes: readonly unknown[] = ['INPUT_CONFLICT', 'INVALID_INPUT', 'INVALID_OPTIONS'];

/**
 * Classifies an error of a write. Only what is proven not to be applied, for a reason that is known and lies in the work
 * itself, is final. An outage, a gateway, a key or a code that nobody knows never ends work that somebody committed.
 */
export function classifyError(error: unknown): ErrorKind {
  const { code, status, meaning, outcome, reason } = Object(error) as DecidingFields;
  if (status === goneStatus) return 'gone';
  if (outcome === 'unknown' || outcome === 'applied' || error instanceof OutcomeUnknownError)
    return reason === 'intent-known' ? 'known-intent' : 'unknown';
  if (status === undefined) return finalCodes.includes(code) ? 'final' : 'waiting';
  if (finalMeanings.includes(meaning)) return 'final';
  return waitingStatuses.includes(status) || meaning === 'quotaExceeded' ? 'waiting' : 'retryable';
}

/** Returns whether a call ended by its signal before anything was sent. */
export function isUnsentAbort(error: unknown): boolean {
  const { code, outcome } = Object(error) as DecidingFields;
  return code === 'ABORTED' && outcome !== 'unknown' && outcome !== 'applied';
}
