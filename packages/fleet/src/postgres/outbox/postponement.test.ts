import { OrgChatError, OutcomeUnknownError } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { postpone } from './postponement.ts';

const now = 1_000_000;
const answered = (status: number, retryAfterMs?: number) =>
  new OrgChatError('no', {
    ...{ code: 'X', status, outcome: 'refused' },
    retryAt: retryAfterMs === undefined ? undefined : new Date(now + retryAfterMs),
  });

const minuteMs = 60_000;
const monthMs = 30 * 24 * 60 * minuteMs;
/** A change that was added a moment ago, and whose earlier tries were answered without an outcome. */
const fresh = (attempts: number) => ({ attempts, repeats: attempts - 1, ageMs: 1_000 });

test('a change that is refused for what it is ends as refused', () => {
  const error = new OrgChatError('no', { code: 'X', status: 404, meaning: 'notFound', outcome: 'refused' });
  expect(postpone(error, fresh(1), now)).toEqual({ state: 'refused', delayMs: 0, repeats: 0 });
});

test('a change whose intent the server knows with another change ends as unknown', () => {
  const details = { code: 'OUTCOME_UNKNOWN', reason: 'intent-known', outcome: 'unknown' } as const;
  expect(postpone(new OutcomeUnknownError('?', details), fresh(1), now)).toEqual({
    state: 'unknown',
    delayMs: 0,
    repeats: 0,
  });
});

test.each([
  ...[401, 403, 429].map((status) => [status, 0]),
  ...[404, 408, 413, 500, 502, 503].map((status) => [status, 1]),
])('after %d a change is sent again, and %d tries count as repeats', (status, repeats) => {
  expect(postpone(answered(status), fresh(1), now)).toEqual({ state: 'open', delayMs: 1_000, repeats });
});

test('a change at an address that is gone is free at once for a relay with another one', () => {
  expect(postpone(answered(410), fresh(5), now)).toEqual({ state: 'open', delayMs: 0, repeats: 4 });
});

test.each([
  [1, 1_000],
  [2, 2_000],
  [5, 16_000],
  [10, 300_000],
  [1_000_000, 300_000],
])('after try %d a change is sent again in %d ms', (attempts, delayMs) => {
  expect(postpone(answered(503), fresh(attempts), now).delayMs).toBe(delayMs);
});

test.each([
  ['without an outcome', new OutcomeUnknownError('?', { code: 'OUTCOME_UNKNOWN', outcome: 'unknown' })],
  ['refused with a code that nobody knows', answered(400)],
  ['answered by a server that is down', answered(503)],
])('a change that stays %s is sent fewer than 150 times in 30 days', (_, error) => {
  let [attempts, repeats, ageMs] = [1, 0, 0];
  for (; ageMs < monthMs; attempts++) {
    const postponed = postpone(error, { attempts, repeats, ageMs }, now);
    repeats = postponed.repeats;
    ageMs += postponed.delayMs;
  }
  expect(attempts).toBeLessThan(150);
});

const inFlight = new OrgChatError('no', {
  code: 'OPERATION_IN_FLIGHT',
  retryAt: new Date(now + 65_000),
});
const waits: [string, OrgChatError][] = [
  ['the API key is refused', answered(401)],
  ['the API key may not do this', answered(403)],
  ['a limit is reached', answered(429)],
  ['nothing reaches the server', new OrgChatError('no', { code: 'CONNECTION_FAILED', outcome: 'refused' })],
];

test.each(waits)(
  'a change is sent within five minutes after the end of a long time in which %s',
  (_, error) => {
    const month = { attempts: 10_000, repeats: 0, ageMs: monthMs };
    expect(postpone(error, month, now)).toEqual({ state: 'open', delayMs: 5 * minuteMs, repeats: 0 });
  },
);

test.each([...waits, ['another call has it', inFlight] as const])(
  'the first answer without an outcome delays a change by a second, after a month in which %s',
  (_, error) => {
    let [attempts, repeats, ageMs] = [1, 0, 0];
    for (; ageMs < monthMs; attempts++) {
      const postponed = postpone(error, { attempts, repeats, ageMs }, now);
      repeats = postponed.repeats;
      ageMs += postponed.delayMs;
    }
    expect(attempts).toBeGreaterThan(1_000);
    expect(postpone(answered(503), { attempts, repeats, ageMs }, now).delayMs).toBe(1_000);
  },
);

test('a change that another call has is sent again soon: that one may die long before the end of its hold', () => {
  expect(postpone(inFlight, fresh(9), now)).toEqual({ state: 'open', delayMs: 2_000, repeats: 8 });
});

test('a change is sent again no earlier than the error says', () => {
  expect(postpone(answered(429, 45_000), fresh(1), now).delayMs).toBe(45_000);
  expect(postpone(answered(429, -45_000), fresh(1), now).delayMs).toBe(1_000);
});
