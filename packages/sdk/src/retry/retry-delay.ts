/**
 * How often and after which delays a call is retried.
 *
 * @example
 * const patient: RetryOptions = { maxAttempts: 10, baseDelayMs: 1_000, maxDelayMs: 30_000 };
 * createClient({ retry: patient });
 */
export interface RetryOptions {
  /** Maximum number of attempts, the first one included. Default 4. */
  readonly maxAttempts: number;
  /** Upper bound of the first delay, in milliseconds; it doubles with each attempt. Default 250. */
  readonly baseDelayMs: number;
  /** Upper bound of every delay that the server did not ask for, in milliseconds. Default 8,000. */
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

/**
 * Parses a `Retry-After` header to milliseconds: seconds or an HTTP-date, which is always in GMT. Any other value (a
 * fraction, a negative number, a word) is ignored, and so is one that asks for no wait: 0, or a date that has passed, by
 * a clock that is ahead. A date is measured by the `Date` header of the answer (`sentAt`) if there is one, otherwise by
 * `now`, the clock of this machine.
 */
export function parseRetryAfter(
  header: string | null | undefined,
  now: number,
  sentAt?: string | null,
): number | undefined {
  // A proxy may add the header once more, and not every runtime removes the white space around a value.
  const asked = (header ?? '').trim().replace(/^(.+?)(?:\s*,\s*\1)+$/, '$1');
  const dueAt = parseHttpDate(asked) ?? Number.NaN;
  const ms = /^\d+$/.test(asked) ? Number(asked) * 1000 : dueAt - (parseHttpDate(sentAt ?? '') ?? now);
  return ms > 0 ? ms : undefined;
}

/** Parses an HTTP-date to milliseconds since the epoch; undefined if it is not one. */
function parseHttpDate(text: string): number | undefined {
  // Date.parse alone takes far too much ("-5", "1.5"); every form of an HTTP-date begins with a weekday.
  if (!/^[SMTWF]\w\w/.test(text)) return undefined;
  // The oldest form does not say GMT and would be read as local time.
  const ms = Date.parse(text.replace(/( GMT)?$/, ' GMT'));
  return ms > 0 ? ms : undefined;
}
