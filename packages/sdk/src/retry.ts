/** How a call is repeated. */
export interface RetryOptions {
  /** All attempts, the first included. */
  readonly maxAttempts: number;
  /** Upper bound of the first wait; it doubles from attempt to attempt. */
  readonly baseDelayMs: number;
  /** Upper bound of every wait the server did not ask for. */
  readonly maxDelayMs: number;
}

/**
 * How long to wait after attempt number `attempt` (from 1), in milliseconds; undefined where it was the last. Full
 * jitter: anything from nothing to the bound, so that clients that failed together do not come back together.
 * Never earlier than the server asked.
 */
export function waitAfter(
  attempt: number,
  options: RetryOptions,
  random: number,
  askedMs = 0,
): number | undefined {
  if (attempt >= options.maxAttempts) return undefined;
  const bound = Math.min(options.maxDelayMs, options.baseDelayMs * 2 ** (attempt - 1));
  return Math.max(random * bound, askedMs);
}
