import { nextAttemptDelay } from '@orgchat/sdk/internal';
import { backoffDelay, untilRetryAt } from '../../sending/backoff.ts';
import { classifyError, type DecidingFields } from '../../sending/classify-error.ts';

/** The outcome of a change that was not applied. */
export interface Postponement {
  /** `open`: it is sent again after a delay. The others end it. */
  readonly state: 'open' | 'refused' | 'unknown';
  /** In milliseconds. */
  readonly delayMs: number;
  /** How many tries were sent and had no outcome, this one included. Only these make the next ones rare. */
  readonly repeats: number;
}

/** A change that a relay has taken. */
export interface TakenChange {
  /** How often one has taken it. */
  readonly attempts: number;
  /** How many of the earlier tries were sent and had no outcome. */
  readonly repeats: number;
  /** In milliseconds, by the clock of the engine. */
  readonly ageMs: number;
}

/** For a change that another call has in progress: it ends with its process, and not only at its deadline. */
const inFlightDelayMs = 2_000;

/**
 * Decides the outcome of a change after an error. One that was sent and has no outcome is sent again as rarely as an
 * operation of a journal, by the number of such tries: a long time with a refused key or without a connection makes
 * nothing rare.
 */
export function postpone(
  error: unknown,
  { attempts, repeats, ageMs }: TakenChange,
  now = Date.now(),
): Postponement {
  const { code, status } = Object(error) as DecidingFields;
  if (code === 'OPERATION_IN_FLIGHT' && status === undefined)
    return { state: 'open', delayMs: inFlightDelayMs, repeats };
  switch (classifyError(error)) {
    case 'final':
      return { state: 'refused', delayMs: 0, repeats };
    case 'known-intent':
      return { state: 'unknown', delayMs: 0, repeats };
    case 'gone':
      // Its relay ends, and another one with the right address sends it at once, as those that were not taken yet.
      return { state: 'open', delayMs: 0, repeats };
    case 'waiting':
      return { state: 'open', delayMs: backoffDelay(attempts, error, now), repeats };
    case 'unknown':
    case 'retryable':
      return {
        state: 'open',
        delayMs: Math.max(nextAttemptDelay(repeats + 1, ageMs), untilRetryAt(error, now)),
        repeats: repeats + 1,
      };
  }
}
