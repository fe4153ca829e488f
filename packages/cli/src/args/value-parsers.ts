import { patterns } from '@orgchat/spec/patterns';
import { readMoment } from '@orgchat/spec/resources/moment';
import { InvalidArgumentError, type Option } from 'commander';

/** Readers of option values; commander turns what they throw into a usage error that names the option. */

export function integer(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
      throw new InvalidArgumentError(`It must be a whole number, ${range}.`);
    }
    return value;
  };
}

/** A number, or `off`. */
export function integerOrOff(min: number): (text: string) => number | false {
  const read = integer(min);
  return (text) => (text === 'off' ? false : read(text));
}

const day = 24 * 60 * 60 * 1000;
const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: day };

function parseDuration(text: string): number {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('It must be a time such as 500ms, 30s or 2m.');
  return Math.round(Number(amount) * (units[unit] ?? 1_000));
}

/** A duration of at most `max` milliseconds, a whole number of days. */
export function durationUpTo(max: number, min = 0): (text: string) => number {
  return (text) => {
    const milliseconds = parseDuration(text);
    if (milliseconds < min)
      throw new InvalidArgumentError('It must be longer than 0, such as 500ms, 30s or 2m.');
    if (milliseconds > max) throw new InvalidArgumentError(`It must be at most ${max / day}d.`);
    return milliseconds;
  };
}

/** A timer that waits longer than 2^31 ms, which are nearly 25 days, ends at once. */
const maxWaitMs = 24 * day;

/** `30` (seconds), `500ms`, `30s`, `2m`, `1h`: milliseconds that a timer can wait for. */
export const duration = durationUpTo(maxWaitMs);

/** A duration of 1 ms or more that a timer can wait for. */
export const positiveDuration = durationUpTo(maxWaitMs, 1);

/** A date and time, as it was written. */
export function dateAndTime(text: string): string {
  const { problem } = readMoment(text);
  if (problem !== undefined) throw new InvalidArgumentError(`It ${problem}.`);
  return text;
}

/** `a,b , c`: the words. `example` is shown if one is empty. */
export const words =
  (example: string) =>
  (text: string): string[] => {
    const all = text.split(',').map((word) => word.trim());
    if (all.includes(''))
      throw new InvalidArgumentError(`It must be words without empty ones, such as ${example}.`);
    return all;
  };

/** Lets an option be given several times. Its value is a list of what `read` makes of each. */
export function repeatable(option: Option, read: (text: string) => string = (text) => text): Option {
  // Others take one value: a second one would replace the first.
  option.variadic = true;
  return option.argParser((text: string, before: readonly string[] = []) => [...before, read(text)]);
}

export const isUuid = (text: string): boolean => patterns.uuid.test(text);

export function uuid(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError('It must be a UUID.');
  return text.toLowerCase();
}
