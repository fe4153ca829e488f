/** How often and after which delays a call is retried. */
export interface RetryOptions {
  /** Maximum number of attempts, the first one included. */
  readonly maxAttempts: number;
  /** Upper bound of the first delay, in milliseconds; it doubles with each attempt. */
  readonly baseDelayMs: number;
  /** Upper bound of every delay that the server did not ask for, in milliseconds. */
  readonly maxDelayMs: number;
}

/**
 * Returns the delay after attempt number `attempt` (from 1), in milliseconds; undefined after the last one. Full
 * jitter: a random value up to the bound, so that clients that failed together do not retry together. Never shorter
 * than the server asked for.
 */
export function backoffDelay(
  attempt: number,
  options: RetryOptions,
  random: number,
  askedMs = 0,
): number | undefined {
  if (attempt >= options.maxAttempts) return undefined;
  const bound = Math.min(options.maxDelayMs, options.baseDelayMs * 2 ** (attempt - 1));
  return Math.max(random * bound, askedMs);
}
