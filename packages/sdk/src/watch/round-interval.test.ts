import { expect, test } from 'vitest';
import type { ApiResponse } from '../results/call-promise.ts';
import type { Account } from '../types.ts';
import { describeShortInterval, getDefaultInterval, toBudget } from './round-interval.ts';

const day = 24 * 3_600_000;
const answer = (api: object, date = 'Tue, 01 Sep 2026 00:00:00 GMT') =>
  ({ data: { api }, headers: new Headers({ date }) }) as unknown as ApiResponse<Account>;

test('the budget is what is left until the next month in UTC, by the clock of the server', () => {
  const api = { used: 400, limit: 1_000, perMinute: 60 };
  expect(toBudget(answer(api), 30)).toEqual({ left: 600, monthMs: 30 * day, perMinute: 30 });
  expect(toBudget(answer(api, 'Thu, 31 Dec 2026 23:00:00 GMT'), Infinity)).toEqual({
    left: 600,
    monthMs: 3_600_000,
    perMinute: 60,
  });
  expect(toBudget(answer({}), Infinity)).toMatchObject({ left: Infinity, perMinute: Infinity });
});

test.each([
  // left, requests per minute, requests per round, interval
  [1_000_000, 60, 1, 60_000],
  // A fifth of the minute is 12 requests.
  [10_000_000, 60, 24, 120_000],
  // 10 % of 10,000 requests in 30 days: one per 43.2 minutes.
  [10_000, 60, 1, 2_592_000],
  [10_000, 60, 3, 7_776_000],
  // Nothing is left: the next month.
  [0, 60, 1, 30 * day],
  [5, 60, 1, 30 * day],
  [Infinity, Infinity, 9, 60_000],
])('with %d requests left and %d per minute, rounds of %d come every %d ms', (left, perMinute, n, ms) => {
  expect(getDefaultInterval({ left, perMinute, monthMs: 30 * day }, n)).toBe(ms);
});

test('a shorter interval is described with its cost', () => {
  const budget = { left: 10_000, perMinute: 60, monthMs: 30 * day };
  expect(describeShortInterval(budget, 1, 2_592_000)).toBeUndefined();
  expect(describeShortInterval(budget, 2, 60_000)).toBe(
    'A round every 60000 ms sends 86400 requests until the end of the month if nothing changes, of 10000 that are left (864 %), and 2 of 60 per minute. The default interval is 5184000 ms.',
  );
});
