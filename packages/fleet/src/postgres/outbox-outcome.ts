import { OutcomeUnknownError } from '@orgchat/sdk';
import { backoffDelay } from '../sending/backoff.ts';

/** What is to be done about a change that was not applied. */
export interface Postponement {
  /** The server will refuse it again, so it is not sent again. */
  readonly isRefused: boolean;
  /** How long to wait before the next try, in milliseconds. */
  readonly delayMs: number;
}

/** Statuses that say something about the change itself, and not about the key, the limits or the server. */
const finalStatuses: readonly unknown[] = [400, 404, 409, 413, 414, 415];
/** Codes of the SDK that say the same without an answer. */
const finalCodes: readonly unknown[] = ['INPUT_CONFLICT', 'INVALID_INPUT', 'NOT_APPLIED'];

/** For a change that another call has in progress: it ends with its process, and not only at its deadline. */
const inFlightDelayMs = 2_000;

/**
 * Decides what follows an error of a change. Only a change that an answer proves to be refused for what it is
 * is not sent again. Any other is sent again under its id: the server applies it once.
 */
export function postpone(error: unknown, attempts: number, now = Date.now()): Postponement {
  const { status, code, reason } = Object(error) as {
    readonly status?: unknown;
    readonly code?: unknown;
    readonly reason?: unknown;
  };
  if (code === 'OPERATION_IN_FLIGHT' && status === undefined)
    return { isRefused: false, delayMs: inFlightDelayMs };
  // An earlier call with this intent used it for other input. It would be answered the same each time.
  if (error instanceof OutcomeUnknownError && reason === 'intent-known')
    return { isRefused: true, delayMs: 0 };
  const isKnown = !(error instanceof OutcomeUnknownError);
  if (isKnown && (finalStatuses.includes(status) || (status === undefined && finalCodes.includes(code))))
    return { isRefused: true, delayMs: 0 };
  return { isRefused: false, delayMs: backoffDelay(attempts, error, now) };
}
