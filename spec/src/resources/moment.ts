/** The first and the last millisecond that RFC 3339 can express: those of the years 0000 and 9999. */
export const firstMoment = -62_167_219_200_000;
export const lastMoment = 253_402_300_799_999;

const example = '2026-05-01T00:00:00Z';

/** RFC 3339, or a date alone. */
const form =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/i;

/** What people write instead: no zone, no seconds, a space, or a zone without a colon. */
const almost = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?: ?(Z|[+-]\d\d:?\d\d))?$/i;

/** Milliseconds since 1970, or what is wrong with the text: `must …`. */
export type MomentReading =
  | { readonly at: number; readonly problem?: undefined }
  | { readonly problem: string; readonly at?: undefined };

/**
 * Reads a date and time as RFC 3339 writes it, or a date alone, which is its first moment in UTC. Without a zone, a time
 * would be another one on each machine, and a day that does not exist would be another day.
 */
export function readMoment(text: string): MomentReading {
  const date = form.exec(text)?.[1];
  if (date === undefined) return { problem: describeForm(text) };
  const days = countDays(date);
  if (Number(date.slice(8)) > days)
    return { problem: `must be a day that exists: ${date.slice(0, 7)} has ${days} days` };
  const at = Date.parse(text.toUpperCase());
  if (at < firstMoment || at > lastMoment)
    return { problem: 'must be in the years 0000 to 9999, also in UTC' };
  return { at };
}

/** The number of days of the month of a date. */
function countDays(date: string): number {
  const end = new Date(0);
  end.setUTCFullYear(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0);
  return end.getUTCDate();
}

function describeForm(text: string): string {
  const [, date = '', time = '', seconds = ':00', zone] = almost.exec(text) ?? [];
  const corrected =
    `${date}T${time}${seconds}${(zone ?? 'Z').replace(/(\d\d)(\d\d)$/, '$1:$2')}`.toUpperCase();
  if (!form.test(corrected)) return `must be a date and time, such as ${example}`;
  return zone === undefined
    ? `must have a time zone: ${corrected} if it is in UTC`
    : `must be written as ${corrected}`;
}
