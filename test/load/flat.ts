import type { Memory } from './server.ts';

/**
 * What memory may grow by. At rest, with every sandbox dropped and the mock as it was made, nothing is left that was
 * not there before. Under load it is as large as what the worlds hold just then, so there is more room, and also in
 * what is resident, for the allocator to decide.
 */
const growth = { atRest: 1.1, underLoad: 1.25 };

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >>> 1] ?? Number.NaN;

/** Whether what is needed at rest is the same again. */
export const isSame = (before: Memory, after: Memory): boolean =>
  after.heapUsed <= before.heapUsed * growth.atRest;

/** Whether the medians of the first and the last third of samples under load are about the same. */
export function isFlat(samples: readonly Memory[]): boolean {
  const third = Math.max(1, Math.floor(samples.length / 3));
  return (['heapUsed', 'rss'] as const).every((what) => {
    const of = (some: readonly Memory[]): number => median(some.map((memory) => memory[what]));
    return of(samples.slice(-third)) <= of(samples.slice(0, third)) * growth.underLoad;
  });
}
