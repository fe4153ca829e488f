import type { Memory } from './server.ts';

/**
 * What memory may grow by, in hundreds of thousands of requests. At rest every sandbox is dropped and the mock is as it
 * was made, so that only connections and what V8 learnt of the code are left; under load it is as large as what the
 * worlds hold just then, and what is resident is for the allocator to decide.
 */
const growth: Memory = { heapUsed: 1.1, rss: 1.25 };

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >>> 1] ?? Number.NaN;

/** Whether what is needed at rest is the same again. */
export const isSame = (before: Memory, after: Memory): boolean =>
  after.heapUsed <= before.heapUsed * growth.heapUsed;

/** Whether the medians of the first and the last third of samples under load are about the same. */
export function isFlat(samples: readonly Memory[]): boolean {
  const third = Math.max(1, Math.floor(samples.length / 3));
  return (['heapUsed', 'rss'] as const).every((what) => {
    const of = (some: readonly Memory[]): number => median(some.map((memory) => memory[what]));
    return of(samples.slice(-third)) <= of(samples.slice(0, third)) * growth[what];
  });
}
