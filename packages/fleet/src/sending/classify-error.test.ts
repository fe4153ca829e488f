import { OrgChatError, OutcomeUnknownError } from '@orgchat/sdk';
import { describe, expect, test } from 'vitest';
import { classifyError, isUnsentAbort } from './classify-error.ts';

const refused = (status: number, meaning?: string) =>
  new OrgChatError('no', { code: 'X', status, meaning, outcome: 'refused' });

describe('work is final', () => {
  test.each([
    [400, 'invalidInput'],
    [404, 'notFound'],
    [409, 'staleRevision'],
  ])('if it was refused with %d, meaning %s', (status, meaning) => {
    expect(classifyError(refused(status, meaning))).toBe('final');
  });

  test.each(['INPUT_CONFLICT', 'INVALID_INPUT', 'INVALID_OPTIONS'])('after %s without a request', (code) => {
    expect(classifyError(new OrgChatError('no', { code }))).toBe('final');
  });
});

describe('work comes again', () => {
  test.each([400, 404, 405, 409, 413, 415, 422, 503])('after a %d of no known meaning', (status) => {
    expect(classifyError(refused(status))).toBe('retryable');
  });

  test.each([
    [400, 'keywordLimitExceeded'],
    [404, 'runtimeUnavailable'],
  ])('after a %d that says %s', (status, meaning) => {
    expect(classifyError(refused(status, meaning))).toBe('retryable');
  });
});

test.each([
  [400, 'invalidInput'],
  [401, 'unauthorized'],
  [undefined, undefined],
])('work that an earlier call applied comes again under its id, after %s %s', (status, meaning) => {
  const error = new OrgChatError('no', { code: 'ABORTED', status, meaning, outcome: 'applied' });
  expect([classifyError(error), isUnsentAbort(error)]).toEqual(['unknown', false]);
});

describe('work waits for what is not its own', () => {
  test.each([
    [401, undefined],
    [401, 'unauthorized'],
    [403, undefined],
    [403, 'suspended'],
    [429, undefined],
    [429, 'quotaExceeded'],
    [400, 'quotaExceeded'],
  ])('after a %d that says %s', (status, meaning) => {
    expect(classifyError(refused(status, meaning))).toBe('waiting');
  });

  test.each(['JOURNAL_FAILED', 'PACING_FAILED', 'CONNECTION_FAILED', 'ABORTED', 'DEADLINE_EXCEEDED'])(
    'after %s',
    (code) => {
      expect(classifyError(new OrgChatError('no', { code, outcome: 'abandoned' }))).toBe('waiting');
    },
  );

  test('after what is not an error of the SDK', () => {
    for (const error of [new TypeError('x'), 'x', undefined, null])
      expect(classifyError(error)).toBe('waiting');
  });
});

test('an address is gone, whatever the outcome is', () => {
  expect(classifyError(refused(410))).toBe('gone');
  const details = { code: 'SANDBOX_GONE', status: 410, outcome: 'unknown' } as const;
  expect(classifyError(new OutcomeUnknownError('?', details))).toBe('gone');
});

test('an outcome is unknown, whatever the last answer was', () => {
  for (const meaning of ['invalidInput', 'notFound', 'staleRevision', 'inputConflict', undefined]) {
    const details = { code: 'OUTCOME_UNKNOWN', status: 400, meaning };
    expect(classifyError(new OutcomeUnknownError('?', details))).toBe('unknown');
    expect(classifyError(new OrgChatError('?', { ...details, outcome: 'unknown' }))).toBe('unknown');
  }
});

test('an intent that the server knows with other work differs from an unknown outcome', () => {
  const details = { code: 'OUTCOME_UNKNOWN', status: 409, outcome: 'unknown' } as const;
  expect(classifyError(new OutcomeUnknownError('?', { ...details, reason: 'intent-known' }))).toBe(
    'known-intent',
  );
  expect(classifyError(refused(409, 'inputConflict'))).toBe('retryable');
});
