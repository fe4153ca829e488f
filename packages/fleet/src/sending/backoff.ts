const firstDelayMs = 1_000;
const longestDelayMs = 300_000;

/** Returns how long to wait after a number of tries, in milliseconds: twice as long each time, or until `retryAt` of the error. */
export function backoffDelay(tries: number, error?: unknown, now = Date.now()): number {
  const usual = Math.min(firstDelayMs * 2 ** Math.min(Math.max(tries, 1) - 1, 20), longestDelayMs);
  const { retryAt } = Object(error) as { readonly retryAt?: unknown };
  return Math.max(usual, retryAt instanceof Date ? retryAt.getTime() - now : 0);
}
