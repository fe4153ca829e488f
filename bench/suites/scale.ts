import { join } from 'node:path';
import { Child } from '../support/channel.ts';
import { built } from '../support/places.ts';
import { rounds } from '../support/rounds.ts';
import { against, figure, type Row, type Suite } from '../support/row.ts';

const group = 'The mock with 1,000,000 records, per mock.fetch (processor time)';
/** In this order: what is created in a round is replayed, then deleted in it. */
const works = {
  read: 'read by id',
  page: 'page of 20 at any offset, after deletions',
  'page of one account': 'the same by a key that sees one account',
  create: 'create',
  replay: 'replay of a change',
  delete: 'deletion',
} as const;

export const suite: Suite = {
  name: 'scale',
  async run() {
    const start = (size: number) =>
      new Child(['--max-old-space-size=12000', join(built, 'workers/world.js'), String(size)]);
    const few = start(1000);
    const many = start(1_000_000);
    const megabytes = await many.ask<number>('held');
    const rows: Row[] = [];
    const figures = Object.keys(works).map((work) => ({
      work,
      ours: [] as number[],
      theirs: [] as number[],
    }));
    await rounds(
      {
        // One turn is all of the works, since a deletion needs what the creation before it made.
        many: async () => {
          for (const { work, ours } of figures) ours.push(await many.ask<number>(work));
          return 0;
        },
        few: async () => {
          for (const { work, theirs } of figures) theirs.push(await few.ask<number>(work));
          return 0;
        },
      },
      { rounds: 45, warmUp: 0 },
    );
    for (const { work, ours, theirs } of figures) {
      const warmUp = Math.min(4, ours.length - 1);
      const what = works[work as keyof typeof works];
      const row = { group, what, unit: 'µs', ours: ours.slice(warmUp), target: { atMost: 1.5 } } as const;
      rows.push(against(row, '×', 'with 1,000 records', theirs.slice(warmUp)));
    }
    const forks = await rounds({ many: () => many.ask('fork'), few: () => few.ask('fork') });
    const { first } = await rounds({ first: () => many.ask('page never read before') }, { rounds: 25 });
    const what = 'sandbox of it: made and dropped';
    rows.push(
      against({ group, what, unit: 'µs', ours: forks.many }, '×', 'with 1,000 records', forks.few),
      figure({ group, what: 'page of 20 that nobody read before', unit: 'µs', ours: first }),
      figure({ group, what: 'memory held by it', unit: 'MB', ours: [megabytes] }),
    );
    await Promise.all([few.stop(), many.stop()]);
    return rows;
  },
};
