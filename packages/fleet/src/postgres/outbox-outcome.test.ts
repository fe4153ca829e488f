import { OrgChatError, OutcomeUnknownError } from '@orgchat/sdk';
import { describe, expect, test } from 'vitest';
import { postpone } from './outbox-outcome.ts';

const now = 1_000_000;
const answered = (status: number, retryAfterMs?: number) =>
  new OrgChatError('no', {
    code: 'X',
    status,
    retryAt: retryAfterMs === undefined ? undefined : new Date(now + retryAfterMs),
  });

describe('a change is not sent again', () => {
  test.each([400, 404, 409, 413, 414, 415])('after %d', (status) => {
    expect(postpone(answered(status), 1, now)).toEqual({ isRefused: true, delayMs: 0 });
  });

  test.each(['INPUT_CONFLICT', 'INVALID_INPUT', 'NOT_APPLIED'])('after %s', (code) => {
    expect(postpone(new OrgChatError('no', { code }), 1, now).isRefused).toBe(true);
  });
});

test('a change whose intent the server knows with other input ends', () => {
  const known = new OutcomeUnknownError('?', {
    code: 'OUTCOME_UNKNOWN',
    reason: 'intent-known',
    status: 409,
  });
  expect(postpone(known, 1, now)).toEqual({ isRefused: true, delayMs: 0 });
});

describe('a change is sent again', () => {
  test.each([401, 403, 408, 429, 500, 502, 503])('after %d', (status) => {
    expect(postpone(answered(status), 1, now)).toEqual({ isRefused: false, delayMs: 1_000 });
  });

  test.each(['JOURNAL_FAILED', 'PACING_FAILED', 'CONNECTION_FAILED', 'ABORTED', 'CLIENT_DRAINING'])(
    'after %s',
    (code) => {
      expect(postpone(new OrgChatError('no', { code }), 1, now).isRefused).toBe(false);
    },
  );

  test('if its outcome is unknown, whatever the last answer was', () => {
    const unknown = new OutcomeUnknownError('?', { code: 'OUTCOME_UNKNOWN', status: 409 });
    expect(postpone(unknown, 1, now).isRefused).toBe(false);
  });

  test('after what is not an error of the SDK', () => {
    for (const error of [new TypeError('x'), 'x', undefined, null])
      expect(postpone(error, 1, now).isRefused).toBe(false);
  });

  test.each([
    [1, 1_000],
    [2, 2_000],
    [5, 16_000],
    [10, 300_000],
    [1_000_000, 300_000],
  ])('at try %d after %d ms', (attempts, delayMs) => {
    expect(postpone(answered(503), attempts, now).delayMs).toBe(delayMs);
  });

  test('soon if another call has it, which may die long before the end of its hold', () => {
    const options = { code: 'OPERATION_IN_FLIGHT', retryAt: new Date(now + 65_000) };
    expect(postpone(new OrgChatError('no', options), 9, now)).toEqual({ isRefused: false, delayMs: 2_000 });
  });

  test('no earlier than the error says', () => {
    expect(postpone(answered(429, 45_000), 1, now).delayMs).toBe(45_000);
    expect(postpone(answered(429, -45_000), 1, now).delayMs).toBe(1_000);
  });
});
