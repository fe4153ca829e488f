import { OrgChatError, OutcomeUnknownError } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { postpone } from './outcome.ts';

const now = 1_000_000;
const answered = (status: number, retryAfterMs?: number) =>
  new OrgChatError('no', {
    ...{ code: 'X', status, outcome: 'refused' },
    retryAt: retryAfterMs === undefined ? undefined : new Date(now + retryAfterMs),
  });

test('a change that is refused for what it is ends as refused', () => {
  const error = new OrgChatError('no', { code: 'X', status: 404, meaning: 'notFound', outcome: 'refused' });
  expect(postpone(error, 1, now)).toEqual({ state: 'refused', delayMs: 0 });
});

test('a change whose intent the server knows with another change ends as unknown', () => {
  const details = { code: 'OUTCOME_UNKNOWN', reason: 'intent-known', outcome: 'unknown' } as const;
  expect(postpone(new OutcomeUnknownError('?', details), 1, now)).toEqual({ state: 'unknown', delayMs: 0 });
});

test.each([401, 403, 404, 408, 413, 429, 500, 502, 503])('after %d a change is sent again', (status) => {
  expect(postpone(answered(status), 1, now)).toEqual({ state: 'open', delayMs: 1_000 });
});

test.each([
  [1, 1_000],
  [2, 2_000],
  [5, 16_000],
  [10, 300_000],
  [1_000_000, 300_000],
])('after try %d a change is sent again in %d ms', (attempts, delayMs) => {
  expect(postpone(answered(503), attempts, now).delayMs).toBe(delayMs);
});

test('a change that another call has is sent again soon: that one may die long before the end of its hold', () => {
  const options = { code: 'OPERATION_IN_FLIGHT', retryAt: new Date(now + 65_000) };
  expect(postpone(new OrgChatError('no', options), 9, now)).toEqual({ state: 'open', delayMs: 2_000 });
});

test('a change is sent again no earlier than the error says', () => {
  expect(postpone(answered(429, 45_000), 1, now).delayMs).toBe(45_000);
  expect(postpone(answered(429, -45_000), 1, now).delayMs).toBe(1_000);
});
