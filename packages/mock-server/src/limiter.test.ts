import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Limiter } from './limiter.ts';

describe('[8.1] the minute limit', () => {
  it('lets in no more than its number in any 60 seconds, and refuses no sooner', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), arrivals, (most, gaps) => {
        const limiter = new Limiter(most);
        const counted: number[] = [];
        let now = 1_000_000;
        for (const gap of gaps) {
          now += gap;
          const recent = counted.filter((at) => at > now - 60_000);
          const wait = limiter.waitOf('key', now);
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

  it('keys do not share it, and a clock that is set back does not close it', () => {
    const limiter = new Limiter(1);
    limiter.count('one', 100_000);
    expect(limiter.waitOf('two', 100_000)).toBe(0);
    expect(limiter.waitOf('one', 100_001)).toBe(59_999);
    expect(limiter.waitOf('one', 50_000)).toBe(0);
  });

  it('off, it counts nothing; at 0, it lets nothing in', () => {
    const off = new Limiter(undefined);
    off.count('one', 0);
    expect([off.waitOf('one', 0), [...off.entries()].length]).toEqual([0, 0]);
    expect(new Limiter(0).waitOf('one', 0)).toBeGreaterThan(0);
  });
});
