import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getMonthlyLimit, RateLimiter } from './request-limits.ts';

describe('[8.1] the minute limit', () => {
  it('allows exactly the limit in any 60 seconds', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), arrivals, (most, gaps) => {
        const limiter = new RateLimiter(most);
        const counted: number[] = [];
        let now = 1_000_000;
        for (const gap of gaps) {
          now += gap;
          const recent = counted.filter((at) => at > now - 60_000);
          const wait = limiter.getWaitMs('key', now);
          expect(wait > 0).toBe(recent.length >= most);
          if (wait > 0) {
            // One request fits after the wait, and not a millisecond sooner.
            expect(counted.filter((at) => at > now + wait - 60_000).length).toBeLessThan(most);
            expect(counted.filter((at) => at > now + wait - 1 - 60_000).length).toBe(most);
            continue;
          }
          limiter.count('key', now);
          counted.push(now);
        }
      }),
    );
  });

  it('keys are limited separately, and setting the clock back does not block a key', () => {
    const limiter = new RateLimiter(1);
    limiter.count('one', 100_000);
    expect(limiter.getWaitMs('two', 100_000)).toBe(0);
    expect(limiter.getWaitMs('one', 100_001)).toBe(59_999);
    expect(limiter.getWaitMs('one', 50_000)).toBe(0);
  });

  it('keeps counting if the clock is set back before all counted requests', () => {
    const limiter = new RateLimiter(1);
    limiter.count('one', 100_000);
    expect(limiter.getWaitMs('one', 170_000)).toBe(0);
    limiter.count('one', 170_000);
    expect(limiter.getWaitMs('one', 10_000)).toBe(0);
    limiter.count('one', 10_000);
    expect(limiter.getWaitMs('one', 10_001)).toBe(59_999);
  });

  it('does not modify the array it was loaded with', () => {
    const limiter = new RateLimiter(5);
    const given = [1_000, 2_000];
    limiter.load('one', given);
    limiter.count('one', 3_000);
    expect(given).toEqual([1_000, 2_000]);
    expect(limiter.getTimes('one')).toEqual([1_000, 2_000, 3_000]);
  });

  it('returns the counted times of a key, oldest first, within the window', () => {
    const limiter = new RateLimiter(2);
    for (const at of [0, 30_000]) limiter.count('one', at);
    limiter.count('two', 10_000);
    expect(limiter.getTimes('one')).toEqual([0, 30_000]);
    expect(limiter.getWaitMs('one', 59_999)).toBe(1);
    expect(limiter.getWaitMs('one', 60_000)).toBe(0);
    expect(limiter.getTimes('one')).toEqual([30_000]);
    expect(limiter.getTimes('nobody')).toEqual([]);
    expect([...limiter.entries()]).toEqual([
      ['one', [30_000]],
      ['two', [10_000]],
    ]);
  });

  it('a fork continues with the same counts, independently', () => {
    const first = new RateLimiter(2);
    first.count('one', 1_000);
    const second = first.fork();
    second.count('one', 2_000);
    expect([first.getWaitMs('one', 3_000), second.getWaitMs('one', 3_000)]).toEqual([0, 58_000]);
    first.count('one', 3_000);
    expect([first.getTimes('one'), second.getTimes('one')]).toEqual([
      [1_000, 3_000],
      [1_000, 2_000],
    ]);
  });

  it('keeps only the current window of a busy key', () => {
    const limiter = new RateLimiter(10_000);
    for (let now = 0; now < 600_000; now += 10) {
      expect(limiter.getWaitMs('busy', now)).toBe(0);
      limiter.count('busy', now);
    }
    expect(limiter.getTimes('busy')).toEqual(Array.from({ length: 6_000 }, (_, n) => 540_000 + n * 10));
  });

  it('counts nothing if off, and allows nothing at 0', () => {
    const off = new RateLimiter(undefined);
    off.count('one', 0);
    expect([off.getWaitMs('one', 0), [...off.entries()].length]).toEqual([0, 0]);
    const closed = new RateLimiter(0);
    expect(closed.getWaitMs('one', 0)).toBe(60_000);
    closed.count('one', 0);
    expect(closed.getWaitMs('one', 1)).toBe(60_000);
  });
});

describe('[8.2] the monthly limit', () => {
  const plan = { monthlyRequests: 500 };

  it('is enforced and reported as the plan says', () => {
    expect(getMonthlyLimit('plan', plan)).toEqual({ enforced: 500, reported: 500 });
  });

  it('is another number if the mock was given one', () => {
    expect(getMonthlyLimit(7, plan)).toEqual({ enforced: 7, reported: 7 });
  });

  it('is reported, and not enforced, if it is off', () => {
    expect(getMonthlyLimit('off', plan)).toEqual({ enforced: Number.POSITIVE_INFINITY, reported: 500 });
  });

  it('is 0 for an organization without a plan', () => {
    expect(getMonthlyLimit('plan', undefined)).toEqual({ enforced: 0, reported: 0 });
  });
});
