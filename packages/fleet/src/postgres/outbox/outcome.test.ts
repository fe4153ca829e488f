import { OrgChatError, OutcomeUnknownError } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { postpone } from './outcome.ts';

const now = 1_000_000;
const answered = (status: number, retryAfterMs?: number) =>
  new OrgChatError('no', {
    ...{ code: 'X', status, outcome: 'refused' },
    retryAt: retryAfterMs === undefined ? undefined : new Date(now + retryAfterMs),
  });

const minuteMs = 60_000;
/** A change that was added a moment ago. */
const fresh = (attempts: number) => ({ attempts, ageMs: 1_000 });

test('a change that is refused for what it is ends as refused', () => {
  const error = new OrgChatError('no', { code: 'X', status: 404, meaning: 'notFound', outcome: 'refused' });
  expect(postpone(error, fresh(1), now)).toEqual({ state: 'refused', delayMs: 0 });
});

test('a change whose intent the server knows with another change ends as unknown', () => {
  const details = { code: 'OUTCOME_UNKNOWN', reason: 'intent-known', outcome: 'unknown' } as const;
  expect(postpone(new OutcomeUnknownError('?', details), fresh(1), now)).toEqual({
    state: 'unknown',
    delayMs: 0,
  });
});

test.each([401, 403, 404, 408, 413, 429, 500, 502, 503])('after %d a change is sent again', (status) => {
  expect(postpone(answered(status), fresh(1), now)).toEqual({ state: 'open', delayMs: 1_000 });
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
  let attempts = 1;
  for (let ageMs = 0; ageMs < 30 * 24 * 60 * minuteMs; attempts++)
    ageMs += postpone(error, { attempts, ageMs }, now).delayMs;
  expect(attempts).toBeLessThan(150);
});

test.each([
  ['the API key is refused', answered(401)],
  ['the API key may not do this', answered(403)],
  ['a limit is reached', answered(429)],
  ['nothing reaches the server', new OrgChatError('no', { code: 'CONNECTION_FAILED', outcome: 'refused' })],
])('a change is sent within five minutes after the end of a long time in which %s', (_, error) => {
  const month = { attempts: 10_000, ageMs: 30 * 24 * 60 * minuteMs };
  expect(postpone(error, month, now)).toEqual({ state: 'open', delayMs: 5 * minuteMs });
});

test('a change that another call has is sent again soon: that one may die long before the end of its hold', () => {
  const options = { code: 'OPERATION_IN_FLIGHT', retryAt: new Date(now + 65_000) };
  expect(postpone(new OrgChatError('no', options), fresh(9), now)).toEqual({ state: 'open', delayMs: 2_000 });
});

test('a change is sent again no earlier than the error says', () => {
  expect(postpone(answered(429, 45_000), fresh(1), now).delayMs).toBe(45_000);
  expect(postpone(answered(429, -45_000), fresh(1), now).delayMs).toBe(1_000);
});
