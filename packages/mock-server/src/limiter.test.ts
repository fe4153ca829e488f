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

  it('goes on counting on a clock that is set back behind all it counted', () => {
    const limiter = new Limiter(1);
    limiter.count('one', 100_000);
    expect(limiter.waitOf('one', 170_000)).toBe(0);
    limiter.count('one', 170_000);
    expect(limiter.waitOf('one', 10_000)).toBe(0);
    limiter.count('one', 10_000);
    expect(limiter.waitOf('one', 10_001)).toBe(59_999);
  });

  it('leaves alone what it was loaded with', () => {
    const limiter = new Limiter(5);
    const given = [1_000, 2_000];
    limiter.load('one', given);
    limiter.count('one', 3_000);
    expect(given).toEqual([1_000, 2_000]);
    expect(limiter.timesOf('one')).toEqual([1_000, 2_000, 3_000]);
  });

  it('tells the counted moments of a key, oldest first, without those that have left the window', () => {
    const limiter = new Limiter(2);
    for (const at of [0, 30_000]) limiter.count('one', at);
    limiter.count('two', 10_000);
    expect(limiter.timesOf('one')).toEqual([0, 30_000]);
    expect(limiter.waitOf('one', 59_999)).toBe(1);
    expect(limiter.waitOf('one', 60_000)).toBe(0);
    expect(limiter.timesOf('one')).toEqual([30_000]);
    expect(limiter.timesOf('nobody')).toEqual([]);
    expect([...limiter.entries()]).toEqual([
      ['one', [30_000]],
      ['two', [10_000]],
    ]);
  });

  it('a fork goes on from the same moments, and neither counts for the other', () => {
    const first = new Limiter(2);
    first.count('one', 1_000);
    const second = first.fork();
    second.count('one', 2_000);
    expect([first.waitOf('one', 3_000), second.waitOf('one', 3_000)]).toEqual([0, 58_000]);
    first.count('one', 3_000);
    expect([first.timesOf('one'), second.timesOf('one')]).toEqual([
      [1_000, 3_000],
      [1_000, 2_000],
    ]);
  });

  it('keeps no more than it must of a key that never stops', () => {
    const limiter = new Limiter(10_000);
    for (let now = 0; now < 600_000; now += 10) {
      expect(limiter.waitOf('busy', now)).toBe(0);
      limiter.count('busy', now);
    }
    expect(limiter.timesOf('busy')).toEqual(Array.from({ length: 6_000 }, (_, n) => 540_000 + n * 10));
  });

  it('off, it counts nothing; at 0, it lets nothing in', () => {
    const off = new Limiter(undefined);
    off.count('one', 0);
    expect([off.waitOf('one', 0), [...off.entries()].length]).toEqual([0, 0]);
    const closed = new Limiter(0);
    expect(closed.waitOf('one', 0)).toBe(60_000);
    closed.count('one', 0);
    expect(closed.waitOf('one', 1)).toBe(60_000);
  });
});
