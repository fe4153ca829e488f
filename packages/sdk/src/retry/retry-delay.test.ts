import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { backoffDelay, parseRetryAfter } from './retry-delay.ts';

const options = { maxAttempts: 4, baseDelayMs: 250, maxDelayMs: 800 };

describe('the schedule', () => {
  test.each([
    // attempt, random, asked, wait
    [1, 0, undefined, 0],
    [1, 1, undefined, 250],
    [2, 1, undefined, 500],
    [3, 1, undefined, 800],
    [3, 0.5, undefined, 400],
    [4, 1, undefined, undefined],
    [5, 1, 0, undefined],
    [1, 0, 2_000, 2_000],
    [1, 1, 100, 250],
    [1, 0.1, 100, 100],
    [4, 0, 2_000, undefined],
  ])('after attempt %i, random %f, Retry-After %s: %s', (attempt, random, asked, wait) => {
    expect(backoffDelay(attempt, options, random, asked)).toBe(wait);
  });

  test('one attempt means one', () => {
    expect(backoffDelay(1, { ...options, maxAttempts: 1 }, 1, 0)).toBeUndefined();
  });

  test('a wait stays finite after very many attempts', () => {
    expect(backoffDelay(5_000, { ...options, maxAttempts: 10_000 }, 1, undefined)).toBe(800);
  });
});

describe('Retry-After', () => {
  // East of Greenwich, where what is read as local time would be earlier.
  beforeAll(() => void vi.stubEnv('TZ', 'Asia/Tokyo'));
  afterAll(() => void vi.unstubAllEnvs());
  const now = Date.UTC(2026, 3, 1, 12, 0, 0);
  test.each([
    ['0', undefined],
    ['00', undefined],
    ['1', 1_000],
    ['120', 120_000],
    ['Wed, 01 Apr 2026 12:00:30 GMT', 30_000],
    ['Wednesday, 01-Apr-26 12:00:30 GMT', 30_000],
    ['Wed Apr  1 12:00:30 2026', 30_000],
    ['Wed, 01 Apr 2026 11:00:00 GMT', undefined],
    ['Wed, 01 Apr 2026 12:00:00 GMT', undefined],
    ['99999999999999999999', 1e23],
    [null, undefined],
    [undefined, undefined],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['2026-04-01T12:00:30Z', undefined],
    ['Wed, nonsense', undefined],
    ['(Wed) 01 Apr 2026 12:00:30 GMT', undefined],
    ['5, 10', undefined],
    ['1 ', 1_000],
    ['\t7\t', 7_000],
    ['1, 1', 1_000],
    ['3,3 , 3', 3_000],
    ['1, 11', undefined],
    ['Wed, 01 Apr 2026 12:00:30 GMT, Wed, 01 Apr 2026 12:00:30 GMT', 30_000],
  ])('%s', (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms);
  });
});
