import { expect, test } from 'vitest';
import { createOrganization } from './create-organization.ts';
import { assumed } from './members/axes.ts';
import { namedMembers, randomMembers } from './members/members.ts';
import { listProblems, oneResource, runMatrix } from './run-matrix.ts';
import { createTwin, Twin } from './twin.ts';
import { sdkUses } from './uses/all-uses.ts';
import { canonical } from './uses/check-records.ts';

/** The others, all resources and the uses of the command are in the soak. */
const members = [
  ...namedMembers.filter(({ name }) => ['rows: summary', 'JSON:API'].includes(name)),
  ...randomMembers(1, 1),
];

test('a twin stores at first what each member stores', () => {
  const { organization } = new Twin({ server: 1 });
  const { records, events } = createOrganization(assumed);
  for (const [resource, stored] of Object.entries(records)) {
    const twins = organization.records[resource as 'tags'];
    const show = ({ identity, label, data }: (typeof stored)[number]) => [identity, label, canonical(data)];
    expect(twins.map(show), resource).toEqual(stored.map(show));
  }
  for (const [resource, stored] of Object.entries(events))
    expect(organization.events[resource as 'messages'], resource).toMatchObject(
      stored.map((event) => expect.objectContaining(event)),
    );
});

test('each use of the SDK of a twin works with the file of a check, and without it works or refuses', async () => {
  const twins = await Promise.all(members.map(createTwin));
  for (const isDescribed of [true, false]) {
    const cells = await runMatrix(twins, sdkUses, { isDescribed }, oneResource);
    expect(listProblems(cells, isDescribed)).toEqual([]);
    // Twins answer otherwise than assumed.
    const refused = twins.filter((twin) =>
      cells.some(({ member, verdict }) => member === twin && verdict === 'refuses'),
    );
    expect(refused).toHaveLength(isDescribed ? 0 : twins.length);
  }
});
