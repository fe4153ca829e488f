import { rateWindowMs } from '../generated/limits.ts';
import { parseRetryAfter } from '../retry/retry-delay.ts';
import type { AttemptResult } from './call-context.ts';

/** Waits after a 429 without `Retry-After`, in milliseconds. After all of them, the window of the limit has moved. */
const waitsMs = [5_000, 15_000, 40_000];

/** A 429 whose code is not known may be about the month, which is not worth a long wait. */
const waitsOfUnknownCode = 2;

/** What to do after a 429 that does not say when to try again. */
export interface LimitWait {
  /** How long to wait, in milliseconds; undefined if there is no further wait. */
  readonly waitMs: number | undefined;
  /** How long other calls of the key wait, in milliseconds: set if its minute limit is reached. */
  readonly pauseMs: number | undefined;
}

/** Returns how long the server asked to wait, in milliseconds; undefined if it did not, or for no time at all. */
export function findAskedMs({ headers }: AttemptResult, now = Date.now()): number | undefined {
  return parseRetryAfter(headers?.get('retry-after'), now, headers?.get('date'));
}

/**
 * Finds the wait after an answer; undefined if it is not a 429 without `Retry-After`, or if the monthly quota is used up.
 * `count` is the number of such waits of this call before.
 */
export function findLimitWait(result: AttemptResult, count: number, now?: number): LimitWait | undefined {
  const { status, meaning } = result;
  if (status !== 429 || meaning === 'quotaExceeded' || findAskedMs(result, now) !== undefined)
    return undefined;
  const waitMs = waitsMs[count];
  if (meaning === 'rateLimited') return { waitMs, pauseMs: waitMs ?? rateWindowMs };
  return { waitMs: count < waitsOfUnknownCode ? waitMs : undefined, pauseMs: undefined };
}
