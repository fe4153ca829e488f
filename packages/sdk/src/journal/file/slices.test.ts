import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runInBackground, runInSlices, stepsPerSlice } from './slices.ts';

/* The clock is frozen unless a step says how long it took. */

let now = 0;
beforeEach(() => {
  now = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Creates `count` steps of `ms` milliseconds each; `done` returns how many were run. */
function work(count: number, ms = 0) {
  let done = 0;
  function* steps(): Generator<undefined, void> {
    for (; done < count; done++) {
      now += ms;
      yield undefined;
    }
  }
  return { steps: steps(), done: () => done };
}

test('a slice has a limited number of steps, and the event loop runs between two', () => {
  const { steps, done } = work(2.5 * stepsPerSlice);
  const over = vi.fn();
  runInBackground(steps, over);
  const slices = [done()];
  while (vi.getTimerCount() > 0) {
    vi.advanceTimersToNextTimer();
    slices.push(done());
  }
  expect(slices.map((sum, n) => sum - (slices[n - 1] ?? 0)).every((run) => run <= stepsPerSlice)).toBe(true);
  expect(slices).toHaveLength(3);
  expect(over).toHaveBeenCalledTimes(1);
});

test('a slice of slow steps ends after a few milliseconds', () => {
  const { steps, done } = work(10, 3);
  runInBackground(steps, () => undefined);
  expect(now).toBeLessThanOrEqual(6);
  expect(done()).toBeLessThan(10);
  while (vi.getTimerCount() > 0) {
    const before = now;
    vi.advanceTimersToNextTimer();
    expect(now - before).toBeLessThanOrEqual(6);
  }
  expect(done()).toBe(10);
});

test('work that fails ends', () => {
  const over = vi.fn();
  const steps: Iterator<undefined> = {
    next: () => {
      throw new Error('EIO');
    },
  };
  runInBackground(steps, over);
  expect(over).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a slice ends when work on another thread begins, and the next one waits for it', async () => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const seen: string[] = [];
  function* steps(): Generator<Promise<void> | undefined, void> {
    yield promise;
    seen.push('next');
    yield Promise.reject(new Error('EIO'));
    seen.push('never');
  }
  const over = vi.fn();
  runInBackground(steps(), over);
  await vi.runAllTimersAsync();
  expect(seen).toEqual([]);
  resolve();
  await promise;
  await vi.runAllTimersAsync();
  expect(seen).toEqual(['next']);
  expect(over).toHaveBeenCalledTimes(1);
});

test('awaited work lets the event loop run between two slices', async () => {
  const { steps, done } = work(2.5 * stepsPerSlice);
  const over = runInSlices(steps);
  expect(done()).toBeLessThanOrEqual(stepsPerSlice);
  await vi.runAllTimersAsync();
  await over;
  expect(done()).toBe(2.5 * stepsPerSlice);
});
