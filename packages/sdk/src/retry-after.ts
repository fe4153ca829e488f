/**
 * How long a `Retry-After` header asks to wait, in milliseconds: seconds or an HTTP-date, which is always in GMT.
 * Anything else (a fraction, a negative number, a word) is taken as no header at all.
 */
export function retryAfter(header: string | null | undefined, now: number): number | undefined {
  const text = `${header}`;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Date.parse alone takes far too much ("-5", "1.5"); every form of an HTTP-date begins with a weekday.
  if (!/^[SMTWF]\w\w/.test(text)) return undefined;
  // The oldest form does not say GMT and would be read as local time.
  return Date.parse(text.replace(/( GMT)?$/, ' GMT')) - now || undefined;
}
