import { expect, test } from 'vitest';
import { type ApplyRounds, runConcurrentApplies } from './run-applies.ts';

/* The short version of `npm run soak -- concurrent-apply`. */

const fixed = { seed: 13, size: 40 };

test.each<[string, Omit<ApplyRounds, 'seed' | 'size'>]>([
  ['two with one state directory', { rounds: 5, processes: 2, sharesState: true }],
  ['two with a state directory each', { rounds: 5, processes: 2, sharesState: false }],
  ['three with a state directory each', { rounds: 1, processes: 3, sharesState: false }],
])(
  'concurrent applies of one file never create a record twice: %s',
  async (_name, options) => {
    const { problems, ...counts } = await runConcurrentApplies({ ...fixed, ...options });
    expect(problems).toEqual([]);
    expect(counts).toMatchObject({ doubled: 0, notApplied: 0, wrongExits: 0 });
    expect(counts.exits['0']).toBeGreaterThanOrEqual(options.rounds);
  },
  120_000,
);
