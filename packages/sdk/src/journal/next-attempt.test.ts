import { describe, expect, test } from 'vitest';
import type { NextAttempt } from './journal.ts';
import { createNextAttempt, isDue, nextAttemptDelay } from './next-attempt.ts';

const [hour, day] = [3_600_000, 86_400_000];

/** When an operation is sent again that never gets an outcome, if it is always sent as soon as it may be. */
function listTimes(until: number): number[] {
  const times: number[] = [];
  let nextAttempt: NextAttempt | undefined;
  for (let now = 0; now < until; now = Date.parse(nextAttempt?.at ?? '')) {
    times.push(now);
    nextAttempt = createNextAttempt({ createdAt: new Date(0).toISOString(), nextAttempt }, now);
  }
  return times;
}

describe('the wait before an operation is sent again', () => {
  test('is 1 s and doubles, up to five minutes in the first hour, and then up to six hours', () => {
    const times = listTimes(2 * day).map((ms) => ms / 1000);
    const waits = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    const firstHour = [1, 2, 4, 8, 16, 32, 64, 128, 256, ...Array<number>(11).fill(300)];
    expect(waits.slice(0, 26)).toEqual([...firstHour, 600, 1200, 2400, 4800, 9600, 19_200]);
    expect(new Set(waits.slice(26))).toEqual(new Set([21_600]));
  });

  test('lets an operation be sent again fewer than 150 times in 30 days', () => {
    expect(listTimes(30 * day).length).toBeLessThan(150);
  });

  test('stays at five minutes in the first hour, however often somebody asks by hand', () => {
    expect(nextAttemptDelay(100, hour - 1)).toBe(300_000);
    expect(nextAttemptDelay(100, hour)).toBe(6 * hour);
    expect(nextAttemptDelay(5_000, 365 * day)).toBe(6 * hour);
  });

  test('begins small if the operation was left alone for a long time', () => {
    expect(createNextAttempt({ createdAt: new Date(0).toISOString() }, 7 * day)).toEqual({
      at: new Date(7 * day + 1_000).toISOString(),
      repeats: 1,
    });
  });
});

describe('an operation is due', () => {
  const at = (ms: number, repeats = 3) => ({ nextAttempt: { at: new Date(ms).toISOString(), repeats } });

  test.each([
    ['without a time', {}, true],
    ['before its time', at(4_000), false],
    ['at its time', at(0), true],
    ['after its time', at(-1), true],
    ['if a clock was set back, so that its wait is longer than any', at(6_000), true],
    ['if its time is no date', { nextAttempt: { at: 'soon', repeats: 1 } }, true],
  ])('%s', (_when, entry, expected) => {
    expect(isDue(entry, 0)).toBe(expected);
  });
});
