import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type ChangingList,
  type ChangingPage,
  countings,
  type NumberedRecord,
  serveChangingList,
} from '../../test-support/servers/changing-list.ts';
import type { DeletionWatch } from './deletion-watch.ts';
import type { PageReader } from './list-pages.ts';

/* Lists that change while they are read: each record that is there all the time is delivered once. */

type Reader = PageReader<ChangingPage, NumberedRecord, ChangingPage>;
type ReadRecords = (reader: Reader) => AsyncIterable<NumberedRecord>;

const seed = Number(process.env.ORGCHAT_TEST_SEED ?? 1);

/** Rows that are created in more than one step could fill three pages in a row with records that were seen. */
const maxStepsThatCreate = 1;
/** A third empty page in a row ends a list, whatever the server says. */
const maxEmptyPages = 2;

const step = fc.record({
  created: fc.constantFrom(0, 0, 0, 1, 3),
  deleted: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 2 }),
  shown: fc.constantFrom(1, 1, 1, 0.5, 0),
});

const lists: fc.Arbitrary<ChangingList> = fc.record({
  count: fc.integer({ min: 0, max: 120 }),
  pageSize: fc.integer({ min: 5, max: 30 }),
  total: fc.constantFrom(...(Object.keys(countings) as (keyof typeof countings)[])),
  isAlwaysLimited: fc.boolean(),
  steps: fc
    .array(step, { maxLength: 12 })
    .filter((steps) => steps.filter(({ created }) => created > 0).length <= maxStepsThatCreate)
    .filter((steps) => steps.filter(({ shown }) => shown === 0).length <= maxEmptyPages),
  deletesWhatItReads: fc.boolean(),
});

const answered = {
  ...{ status: 200, requestId: undefined, operationId: undefined, attempts: 1 },
  ...{ headers: new Headers(), body: '' },
};

/** Reads a list that changes. */
async function deliver(readRecords: ReadRecords, list: ChangingList) {
  const server = serveChangingList(list);
  const sizeFor = (wanted: number) => Math.min(50, wanted);
  const fetch: Reader['fetch'] = async (from, wanted) => {
    const data = server.read(Number(from), sizeFor(wanted));
    return { ...answered, data };
  };
  const reader: Reader = {
    endpoint: 'readChat',
    resource: 'tags',
    start: 0,
    paging: { sizeFor, facts: ({ total, limited }) => ({ total, limited }) },
    fetchFirst: () => fetch(0, Infinity),
    fetch,
    records: ({ records }) => records,
    toPage: (page) => page,
  };
  const delivered: number[] = [];
  for await (const { id } of readRecords(reader)) delivered.push(id);
  return { delivered, lasting: server.findLasting() };
}

/** Whether the server says enough: a `total` of the whole list shows deletions, and either of the two that more follows a gap. */
function saysEnough({ total, isAlwaysLimited, steps, deletesWhatItReads }: ChangingList): boolean {
  const countsAll = total === 'exact' || total === 'too high';
  const hasDeletions = deletesWhatItReads || steps.some(({ deleted }) => deleted.length > 0);
  const hasGap = steps.some(({ shown }) => shown === 0);
  return countsAll || (!hasDeletions && (isAlwaysLimited || !hasGap));
}

/** Looks for a list of which a record is missed or delivered twice, or which rejects. */
const checkLists = (readRecords: ReadRecords) =>
  fc.check(
    fc.asyncProperty(lists, async (list) => {
      const { delivered, lasting } = await deliver(readRecords, list);
      expect(new Set(delivered).size).toBe(delivered.length);
      const all = new Set(delivered);
      if (saysEnough(list)) expect(lasting.filter((id) => !all.has(id))).toEqual([]);
    }),
    { seed, numRuns: 2_000 },
  );

/** Loads the module with another one replaced, as if a mistake were in it. */
async function loadWith(path: string, mistake: (real: never) => object): Promise<ReadRecords> {
  vi.resetModules();
  vi.doMock(path, async (load) => {
    const real = await load<Record<string, unknown>>();
    return { ...real, ...mistake(real as never) };
  });
  return (await import('./list-pages.ts')).readRecords;
}

afterEach(() => {
  for (const path of ['./deletion-watch.ts', './list-position.ts', './seen-records.ts']) vi.doUnmock(path);
  vi.resetModules();
});

test('each record that is there all the time is delivered once, and no list rejects', async () => {
  const { readRecords } = await import('./list-pages.ts');
  const { failed, counterexample, errorInstance } = await checkLists(readRecords);
  expect([failed, counterexample, errorInstance]).toEqual([false, null, null]);
});

describe('the search finds a reader that', () => {
  type Position = typeof import('./list-position.ts');
  type Seen = typeof import('./seen-records.ts');

  test('does not read again after a deletion', async () => {
    const watch: DeletionWatch = { judge: () => 'use', use: () => undefined, ignoresTotal: () => false };
    const readRecords = await loadWith('./deletion-watch.ts', () => ({ createDeletionWatch: () => watch }));
    expect((await checkLists(readRecords)).failed).toBe(true);
  });

  test.each<[string, (page: Parameters<Position['positionAfter']>[1]) => boolean]>([
    ['ends at the first empty page', ({ received }) => received === 0],
    ['believes a total of the page', ({ received, total }) => total === received],
  ])('%s', async (_name, endsAt) => {
    const readRecords = await loadWith('./list-position.ts', (real: Position) => ({
      positionAfter: (...given: Parameters<Position['positionAfter']>) => {
        const after = real.positionAfter(...given);
        return { ...after, isEnd: after.isEnd || endsAt(given[1]) };
      },
    }));
    expect((await checkLists(readRecords)).failed).toBe(true);
  });

  test('compares the records of one page only', async () => {
    const readRecords = await loadWith('./seen-records.ts', (real: Seen) => ({
      createSeenRecords: (): ReturnType<Seen['createSeenRecords']> => ({
        ...real.createSeenRecords(),
        addPage: (records) => real.createSeenRecords().addPage(records),
      }),
    }));
    expect((await checkLists(readRecords)).failed).toBe(true);
  });
});
