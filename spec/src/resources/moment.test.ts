import { describe, expect, it } from 'vitest';
import { firstMoment, lastMoment, readMoment } from './moment.ts';

const at = (text: string): number | undefined => readMoment(text).at;

describe('a date and time', () => {
  it.each([
    ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00.000Z'],
    ['2026-04-01T09:30:15.5+09:00', '2026-04-01T00:30:15.500Z'],
    ['2026-04-01T00:00:00.123456-00:30', '2026-04-01T00:30:00.123Z'],
    ['2026-04-01t00:00:00z', '2026-04-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T23:59:59Z', '2000-02-29T23:59:59.000Z'],
    ['0004-02-29', '0004-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(new Date(at(text) ?? Number.NaN).toISOString()).toBe(moment);
  });

  it('is in the years 0000 to 9999, also in UTC', () => {
    expect([at('0000-01-01T00:00:00Z'), at('9999-12-31T23:59:59.999Z')]).toEqual([firstMoment, lastMoment]);
    for (const text of ['0000-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'])
      expect(readMoment(text).problem).toBe('must be in the years 0000 to 9999, also in UTC');
  });

  it.each([
    ['2026-01-02T09:00:00', 'must have a time zone: 2026-01-02T09:00:00Z if it is in UTC'],
    ['2026-01-02 09:00', 'must have a time zone: 2026-01-02T09:00:00Z if it is in UTC'],
    ['2026-01-02T09:00Z', 'must be written as 2026-01-02T09:00:00Z'],
    ['2026-01-02 09:00:00.25 +0900', 'must be written as 2026-01-02T09:00:00.25+09:00'],
    ['2026-02-30T00:00:00Z', 'must be a day that exists: 2026-02 has 28 days'],
    ['1900-02-29', 'must be a day that exists: 1900-02 has 28 days'],
    ['2026-04-31', 'must be a day that exists: 2026-04 has 30 days'],
  ])('is not %s: %s', (text, problem) => {
    expect(readMoment(text)).toEqual({ problem });
  });

  it.each([
    ...['7', '', 'April 1, 2026', '2026-13-01', '2026-04-00', '2026-04-01T24:00:00Z', '2026-04-01T25:00'],
    ...['2026-04-01T00:00:60Z', '2026-04-01T00:00:00+24:00', '+010000-01-01T00:00:00Z', ' 2026-04-01'],
  ])('is not %j', (text) => {
    expect(readMoment(text)).toEqual({ problem: 'must be a date and time, such as 2026-05-01T00:00:00Z' });
  });
});
