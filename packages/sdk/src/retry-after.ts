/**
 * How long a `Retry-After` header asks to wait, in milliseconds: seconds or an HTTP-date, which is always in GMT.
 * Anything else (a fraction, a negative number, a word) is taken as no header at all. A date is measured by the server's
 * own clock, if the answer has it in its `Date` header (`sentAt`), else by `now`, the clock of this machine.
 */
export function retryAfter(
  header: string | null | undefined,
  now: number,
  sentAt?: string | null,
): number | undefined {
  const text = `${header}`;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  return parseHttpDate(text) - (parseHttpDate(`${sentAt}`) || now) || undefined;
}

/** The moment of an HTTP-date, or NaN. */
function parseHttpDate(text: string): number {
  // Date.parse alone takes far too much ("-5", "1.5"); every form of an HTTP-date begins with a weekday.
  if (!/^[SMTWF]\w\w/.test(text)) return Number.NaN;
  // The oldest form does not say GMT and would be read as local time.
  return Date.parse(text.replace(/( GMT)?$/, ' GMT'));
}
