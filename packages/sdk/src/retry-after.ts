import { latest } from './deadline.ts';

/**
 * The moment a `Retry-After` header asks to wait for, in milliseconds since the epoch: seconds or an HTTP-date.
 * Anything else (a fraction, a negative number, a word) is taken as no header at all.
 */
export function retryAfter(header: string | null | undefined, now: number): number | undefined {
  const text = `${header}`;
  if (/^\d+$/.test(text)) return Math.min(now + Number(text) * 1000, latest);
  // Date.parse alone takes far too much ("-5", "1.5"); every form of an HTTP-date begins with a weekday.
  return (/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) && Date.parse(text)) || undefined;
}
