import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { namedMembers, pairwiseMembers } from './members/members.ts';
import { runAll } from './run-all.ts';
import { listProblems, oneResource } from './run-matrix.ts';
import { page, writeMatrix } from './write-matrix.ts';

test('each use of the command and the SDK of all named servers is as docs/servers.md says', async () => {
  const plain = await runAll(namedMembers, false);
  const described = await runAll(namedMembers, true);
  expect(listProblems(plain, false)).toEqual([]);
  expect(listProblems(described, true)).toEqual([]);
  expect(writeMatrix(plain, described)).toBe(readFileSync(page, 'utf8'));
}, 600_000);

test.each([false, true])(
  'each use of servers of each pair of choices is the expected one (with a description: %s)',
  async (isDescribed) => {
    // All resources take minutes: see the soak.
    const cells = await runAll(pairwiseMembers(), isDescribed, {
      select: oneResource,
      isSdkOverHttp: true,
    });
    expect(listProblems(cells, isDescribed)).toEqual([]);
  },
  600_000,
);
