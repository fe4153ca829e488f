import { describe, expect, it } from 'vitest';
import { Clock } from './clock.ts';

/** A machine whose time passes between any two readings. */
function passing(): () => number {
  let now = 1_000_000;
  return () => (now += 7);
}

describe('a clock', () => {
  it('that is frozen at a time has exactly that time', () => {
    const clock = new Clock(passing());
    clock.move({ now: 5_000, frozen: true });
    expect([clock.now(), clock.now()]).toEqual([5_000, 5_000]);
    clock.move({ now: 6_000, advanceMs: 500 });
    expect([clock.now(), clock.frozen]).toEqual([6_500, true]);
  });

  it('that runs continues from the time to which it is moved', () => {
    const clock = new Clock(passing());
    clock.move({ now: 5_000, advanceMs: 500 });
    expect([clock.now(), clock.now(), clock.frozen]).toEqual([5_507, 5_514, false]);
    clock.move({ advanceMs: 1_000 });
    expect(clock.now()).toBe(6_528);
  });

  it('continues from the time at which it was frozen', () => {
    const clock = new Clock(passing());
    clock.move({ now: 5_000, frozen: true });
    clock.move({ frozen: false });
    expect([clock.now(), clock.frozen]).toEqual([5_007, false]);
  });

  it('loses no time when nothing is changed', () => {
    const clock = new Clock(passing());
    clock.move({});
    expect(clock.now()).toBe(1_000_014);
  });
});
