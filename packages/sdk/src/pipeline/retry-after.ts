/**
 * Parses a `Retry-After` header to milliseconds: seconds or an HTTP-date, which is always in GMT. Any other value (a
 * fraction, a negative number, a word) is ignored. A date is measured by the `Date` header of the answer (`sentAt`)
 * if there is one, otherwise by `now`, the clock of this machine.
 */
export function parseRetryAfter(
  header: string | null | undefined,
  now: number,
  sentAt?: string | null,
): number | undefined {
  if (header === null || header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const dueAt = parseHttpDate(header);
  if (dueAt === undefined) return undefined;
  return dueAt - (parseHttpDate(sentAt ?? '') ?? now) || undefined;
}

/** Parses an HTTP-date to milliseconds since the epoch; undefined if it is not one. */
function parseHttpDate(text: string): number | undefined {
  // Date.parse alone takes far too much ("-5", "1.5"); every form of an HTTP-date begins with a weekday.
  if (!/^[SMTWF]\w\w/.test(text)) return undefined;
  // The oldest form does not say GMT and would be read as local time.
  const ms = Date.parse(text.replace(/( GMT)?$/, ' GMT'));
  return Number.isNaN(ms) ? undefined : ms;
}
