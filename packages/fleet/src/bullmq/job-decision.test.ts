import { type ErrorDetails, OrgChatError, OutcomeUnknownError } from '@orgchat/sdk';
import { describe, expect, test } from 'vitest';
import { decideJob } from './job-decision.ts';

const now = 1_000_000;
const failed = (details: Partial<ErrorDetails>) => new OrgChatError('no', { code: 'X', ...details });
const unknown = (details: Partial<ErrorDetails> = {}) =>
  new OutcomeUnknownError('?', { code: 'OUTCOME_UNKNOWN', outcome: 'unknown', ...details });
const decide = (error: unknown, site?: string, refusals = 1) => {
  const { advice, ...rest } = decideJob(error, { site, countRefusal: () => refusals }, now);
  expect(advice).toMatch(/\.$/);
  return rest;
};

describe('a job fails for good', () => {
  test('if its work is refused for what it is', () => {
    const invalid = failed({ status: 400, meaning: 'invalidInput', outcome: 'refused' });
    expect(decide(invalid)).toEqual({ kind: 'fail' });
    expect(decideJob(invalid, { site: undefined, countRefusal: () => 1 }).advice).toContain(
      'Enqueue corrected work',
    );
  });

  test('if the server knows its intent with other work', () => {
    expect(decide(unknown({ reason: 'intent-known', status: 409 }))).toEqual({ kind: 'fail' });
  });

  test('if the address of the API is gone, whatever the outcome is', () => {
    const job = { site: undefined, countRefusal: () => 1 };
    for (const outcome of ['refused', 'unknown'] as const) {
      const { kind, advice } = decideJob(failed({ status: 410, outcome }), job);
      expect([kind, advice]).toEqual(['fail', expect.stringMatching(/address of the API is gone.*retry/)]);
    }
  });

  test('with keywords whose outcome is unknown, and says where to look', () => {
    for (const status of [503, 410, undefined]) {
      const { kind, advice } = decideJob(unknown({ status }), { site: 'demo-site', countRefusal: () => 1 });
      expect(kind).toBe('fail');
      expect(advice).toContain('Check the keywords of site "demo-site".');
    }
  });
});

describe('a job is tried again under the same id', () => {
  test.each([400, 404, 408, 409, 413, 415, 422, 500, 502, 503])(
    'after a %d of no known meaning',
    (status) => {
      expect(decide(failed({ status, outcome: 'refused' }))).toEqual({ kind: 'retry' });
      expect(decide(failed({ status, outcome: 'refused' }), 'demo-site')).toEqual({ kind: 'retry' });
    },
  );

  test('with an unknown outcome, whatever the last answer was', () => {
    for (const status of [400, 409, 429, undefined])
      expect(decide(unknown({ status }))).toEqual({ kind: 'retry' });
  });

  test.each(['CONNECTION_FAILED', 'DEADLINE_EXCEEDED'])('after %s', (code) => {
    expect(decide(failed({ code }))).toEqual({ kind: 'retry' });
  });

  test('with a journal entry that cannot be read', () => {
    expect(decide(failed({ code: 'JOURNAL_FAILED', reason: 'journal-entry-unusable' }))).toEqual({
      kind: 'retry',
    });
  });

  test('after what is not an error of the SDK', () => {
    for (const error of [new TypeError('x'), 'x', undefined, null])
      expect(decide(error)).toEqual({ kind: 'retry' });
  });
});

describe('a job waits, and uses up no attempt', () => {
  test.each(['ABORTED', 'CLIENT_DRAINING', 'JOURNAL_FAILED', 'PACING_FAILED'])('after %s', (code) => {
    expect(decide(failed({ code }))).toEqual({ kind: 'delay', delayMs: 5_000 });
  });

  test.each([
    [401, 1, 1_000],
    [403, 4, 8_000],
    [401, 99, 300_000],
  ])('after %d, the refusal number %d, with its organization for %d ms', (status, refusals, delayMs) => {
    expect(decide(failed({ status, outcome: 'refused' }), undefined, refusals)).toEqual({
      ...{ kind: 'wait', delayMs, code: 'KEY_REFUSED' },
    });
  });

  test('while another worker has it, however long that one may hold it', () => {
    const retryAt = new Date(now + 60_000);
    expect(decide(failed({ code: 'OPERATION_IN_FLIGHT', retryAt }))).toEqual({
      kind: 'delay',
      delayMs: 2_000,
    });
  });

  test.each([
    [new Date(now + 86_400_000), 86_400_000],
    [undefined, 3_600_000],
  ])('with its organization until the quota starts again', (retryAt, delayMs) => {
    expect(decide(failed({ status: 429, meaning: 'quotaExceeded', retryAt }))).toEqual({
      ...{ kind: 'wait', delayMs, code: 'QUOTA_EXCEEDED' },
    });
  });

  test('until the Retry-After of a server that is down', () => {
    const retryAt = new Date(now + 30_000);
    expect(decide(failed({ status: 503, retryAt }))).toEqual({ kind: 'delay', delayMs: 30_000 });
  });
});

test.each([
  [new Date(now + 12_000), 12_000],
  [new Date(now - 12_000), 0],
  [undefined, 5_000],
])('the organization waits after 429', (retryAt, delayMs) => {
  expect(decide(failed({ status: 429, retryAt }))).toEqual({ kind: 'wait', delayMs, code: 'RATE_LIMITED' });
});
