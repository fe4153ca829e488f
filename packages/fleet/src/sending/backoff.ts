const firstDelayMs = 1_000;
const longestDelayMs = 300_000;

/** Returns how long to wait after a number of tries, in milliseconds: twice as long each time, or until `retryAt` of the error. */
export function backoffDelay(tries: number, error?: unknown, now = Date.now()): number {
  const usual = Math.min(firstDelayMs * 2 ** Math.min(Math.max(tries, 1) - 1, 20), longestDelayMs);
  return Math.max(usual, untilRetryAt(error, now));
}

/** Returns how long it is until `retryAt` of an error, in milliseconds; 0 if it has none. */
export function untilRetryAt(error: unknown, now: number): number {
  const { retryAt } = Object(error) as { readonly retryAt?: unknown };
  return retryAt instanceof Date ? Math.max(0, retryAt.getTime() - now) : 0;
}
