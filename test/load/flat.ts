import type { Memory } from './server.ts';

/** What memory may grow by, from the first third after warm-up to the last: a tenth of what is needed, and of what is held a quarter, since that is the allocator's to decide. */
const growth: Memory = { heapUsed: 1.1, rss: 1.25 };

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >>> 1] ?? Number.NaN;

export interface Trend {
  readonly early: Memory;
  readonly late: Memory;
  readonly flat: boolean;
}

/** Compares the medians of the first and the last third of samples; the first fifth of all is warm-up and not looked at. */
export function trendOf(samples: readonly Memory[]): Trend {
  const warm = samples.slice(Math.floor(samples.length / 5));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const medianOf = (some: readonly Memory[]): Memory => ({
    heapUsed: median(some.map(({ heapUsed }) => heapUsed)),
    rss: median(some.map(({ rss }) => rss)),
  });
  const early = medianOf(warm.slice(0, third));
  const late = medianOf(warm.slice(-third));
  const flat = late.heapUsed <= early.heapUsed * growth.heapUsed && late.rss <= early.rss * growth.rss;
  return { early, late, flat };
}
