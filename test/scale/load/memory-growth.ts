import type { MemoryUsage } from './mock-process.ts';

/**
 * Allowed memory growth over hundreds of thousands of requests. At rest, all sandboxes are deleted and the mock is
 * reset, so only connections and compiled code remain. Under load, memory depends on the worlds of that moment.
 */
const growth: MemoryUsage = { heapUsed: 1.1, rss: 1.25 };

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >>> 1] ?? Number.NaN;

/** Whether the heap at rest has returned to its earlier size. */
export const isBackAtBaseline = (before: MemoryUsage, after: MemoryUsage): boolean =>
  after.heapUsed <= before.heapUsed * growth.heapUsed;

/** Whether the medians of the first and the last third of samples under load are about the same. */
export function isStable(samples: readonly MemoryUsage[]): boolean {
  const third = Math.max(1, Math.floor(samples.length / 3));
  return (['heapUsed', 'rss'] as const).every((what) => {
    const of = (some: readonly MemoryUsage[]): number => median(some.map((memory) => memory[what]));
    return of(samples.slice(-third)) <= of(samples.slice(0, third)) * growth[what];
  });
}
