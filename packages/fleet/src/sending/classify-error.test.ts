import { OrgChatError, OutcomeUnknownError } from '@orgchat/sdk';
import { describe, expect, test } from 'vitest';
import { classifyError } from './classify-error.ts';

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
  test.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 429])(
    'after a %d of no known meaning',
    (status) => {
      expect(classifyError(refused(status))).toBe('retryable');
    },
  );

  test.each([
    [400, 'keywordLimitExceeded'],
    [401, 'unauthorized'],
    [403, 'suspended'],
    [404, 'runtimeUnavailable'],
    [429, 'quotaExceeded'],
  ])('after a %d that says %s', (status, meaning) => {
    expect(classifyError(refused(status, meaning))).toBe('retryable');
  });

  test.each(['JOURNAL_FAILED', 'PACING_FAILED', 'CONNECTION_FAILED', 'ABORTED', 'NOT_APPLIED'])(
    'after %s',
    (code) => {
      expect(classifyError(new OrgChatError('no', { code, outcome: 'abandoned' }))).toBe('retryable');
    },
  );

  test('after what is not an error of the SDK', () => {
    for (const error of [new TypeError('x'), 'x', undefined, null])
      expect(classifyError(error)).toBe('retryable');
  });
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
