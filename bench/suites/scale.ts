import { join } from 'node:path';
import { Child } from '../support/child-process.ts';
import { built } from '../support/paths.ts';
import { rounds, roundsOfSeveral } from '../support/rounds.ts';
import { against, figure, type Group, type Row, type Suite } from '../support/row.ts';
import type { Work } from '../workers/world.ts';

const group: Group = {
  title: 'The mock with 1,000,000 records',
  about:
    'Processor time of a call of `mock.fetch` in a mock with 1,000,000 routes, some of them deleted, compared with a mock with 1,000. A result near 1 × means that the time does not grow with the number of records.',
};
const peer = 'the same with 1,000';

const titles: Readonly<Record<Work, string>> = {
  read: 'read by id',
  page: 'page of 20 at any offset, after deletions',
  pageOfOneAccount: 'the same, with a key of one account',
  create: 'create',
  replay: 'replay of a change',
  delete: 'deletion',
};

export const suite: Suite = {
  name: 'scale',
  async run() {
    const start = (size: number) =>
      new Child(['--max-old-space-size=12000', join(built, 'workers/world.js'), String(size)]);
    const few = start(1000);
    const many = start(1_000_000);
    const megabytes = await many.ask<number>('held');
    await few.ask('held');
    const figures = await roundsOfSeveral<'many' | 'few', Work>(
      { many: () => many.ask('turn'), few: () => few.ask('turn') },
      { rounds: 21, warmUp: 3 },
    );
    const rows: Row[] = [];
    for (const [work, what] of Object.entries(titles) as [Work, string][]) {
      const row = { group, what, unit: 'µs', ours: figures.many[work], target: { atMost: 1.5 } } as const;
      rows.push(against(row, '×', peer, figures.few[work]));
    }
    const forks = await rounds({ many: () => many.ask('fork'), few: () => few.ask('fork') }, { rounds: 15 });
    const { first } = await rounds({ first: () => many.ask('page never read before') }, { rounds: 15 });
    rows.push(
      against(
        { group, what: 'sandbox of it: created and dropped', unit: 'µs', ours: forks.many },
        '×',
        peer,
        forks.few,
      ),
      figure({ group, what: 'page of 20, read for the first time', unit: 'µs', ours: first }),
      figure({ group, what: 'memory of the mock', unit: 'MB', ours: [megabytes] }),
    );
    await Promise.all([few.stop(), many.stop()]);
    return rows;
  },
};
