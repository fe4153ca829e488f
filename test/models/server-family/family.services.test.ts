import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Harness } from '../../../packages/cli/test-support/harness.ts';
import { namedMembers, pairwiseMembers } from './members/members.ts';
import { startFamily } from './run-all.ts';
import { listProblems, oneResource, runMatrix, someResources } from './run-matrix.ts';
import type { FamilyServer } from './server/start-server.ts';
import { sdkUses } from './uses/all-uses.ts';
import { createCliUses } from './uses/cli-uses.ts';
import type { Use } from './uses/judge.ts';
import { findDifferences, missingUses, page } from './write-matrix.ts';

const groups = [
  { members: namedMembers, select: someResources, of: 'that have a name' },
  { members: pairwiseMembers(), select: oneResource, of: 'of each pair of choices' },
];
const ways = [
  { name: 'without a description works or refuses before a change', isDescribed: false },
  { name: 'with its description works', isDescribed: true },
];

describe.each(groups)('each use of the SDK of servers $of', ({ members, select }) => {
  // All resources of all servers take a minute: see the soak and `npm run servers`.
  test.each(ways)('$name', async ({ isDescribed }) => {
    const cells = await runMatrix(members, sdkUses, { isDescribed }, select);
    expect(listProblems(cells, isDescribed)).toEqual([]);
    if (members === namedMembers) expect(findDifferences(cells, isDescribed)).toEqual([]);
  });
});

describe('each use of the command', () => {
  const cli = new Harness({ inProcess: true });
  let family: FamilyServer;
  let uses: readonly Use[] = [];
  beforeAll(async () => {
    family = await startFamily();
    uses = createCliUses(cli);
  });
  afterAll(async () => {
    family.close();
    await cli.end();
  });

  // The other servers are tested with the services.
  const names = ['nesting: data', 'nulls: absent for null', 'extras: id and createdAt', 'JSON:API'];
  test.each(ways)('$name', async ({ isDescribed }) => {
    const members = namedMembers.filter(({ name }) => names.includes(name));
    const cells = await runMatrix(members, uses, { isDescribed, family });
    expect(cells).toHaveLength(names.length * uses.length);
    expect(listProblems(cells, isDescribed)).toEqual([]);
    expect(findDifferences(cells, isDescribed)).toEqual([]);
  });

  test('and of the SDK is on the page', () => {
    expect(missingUses([...sdkUses, ...uses].map(({ name }) => name))).toEqual([]);
    const text = readFileSync(page, 'utf8');
    for (const { name } of namedMembers) expect(text.split(`\n| ${name} |`), name).toHaveLength(3);
  });
});
