import * as fs from 'node:fs';
import { join } from 'node:path';
import { unwatch } from '@orgchat/atomic-files/test-support/file-system';
import { afterEach, describe, expect, test } from 'vitest';
import { countFileCalls } from '../../../test-support/journals/count-file-calls.ts';
import { entry, target } from '../../../test-support/journals/journal-entries.ts';
import { journalFolder } from '../../../test-support/journals/journal-folder.ts';
import type { Journal, JournalEntry, JournalListOptions } from '../journal.ts';
import { fileJournal } from './file-journal.ts';

const folder = journalFolder();
afterEach(() => unwatch());

/** Adds entries, the last one first, of which every third is refused, and one is open. */
function fill(journal: Journal, count: number): JournalEntry[] {
  const entries = Array.from({ length: count }, (_, n) =>
    entry({ state: n % 3 === 0 ? 'refused' : 'applied' }),
  );
  for (const one of [...entries].reverse()) {
    journal.add({ ...one, state: 'pending' });
    journal.settle(one === entries[1] ? { ...one, state: 'unknown' } : one);
  }
  return entries;
}

const toIds = (entries: readonly JournalEntry[]): string[] => entries.map(({ operationId }) => operationId);

async function listPages(journal: Journal, options: JournalListOptions & { readonly limit: number }) {
  const pages: string[][] = [];
  for (let after: JournalEntry | undefined; ; ) {
    const { entries } = await journal.list(target, { ...options, after });
    pages.push(toIds(entries));
    if (entries.length < options.limit) return pages;
    after = entries.at(-1);
  }
}

describe('pages', () => {
  test('have each entry once, in order', async () => {
    const journal = fileJournal(folder.dir);
    const entries = fill(journal, 20);
    for (const limit of [1, 7, 20, 21])
      expect((await listPages(journal, { limit })).flat()).toEqual(toIds(entries));
    const refused = entries.filter(({ state }) => state === 'refused');
    expect((await listPages(journal, { limit: 3, state: 'refused' })).flat()).toEqual(toIds(refused));
    expect(await listPages(journal, { limit: 3, open: true })).toEqual([[entries[1]?.operationId]]);
  });

  test('show what changed since the page before', async () => {
    const journal = fileJournal(folder.dir);
    const entries = fill(journal, 10);
    const [first, second] = (await journal.list(target, { limit: 2 })).entries;
    expect(toIds([first!, second!])).toEqual(toIds(entries.slice(0, 2)));
    journal.remove(entries[2]!);
    journal.claim(entries[3]!, { token: 't', deadline: new Date(Date.now() + 60_000).toISOString() });
    const newer = entry();
    journal.add(newer);
    const rest = (await journal.list(target, { limit: 20, after: second })).entries;
    expect(toIds(rest)).toEqual(toIds([...entries.slice(3), newer]));
    expect(rest[0]?.token).toBe('t');
  });

  test('of another list do not use what a page left', async () => {
    const journal = fileJournal(folder.dir);
    const entries = fill(journal, 10);
    await journal.list(target, { limit: 2 });
    const after = entries[1];
    expect(toIds((await journal.list(target, { limit: 2, state: 'refused', after })).entries)).toEqual(
      toIds([entries[3]!, entries[6]!]),
    );
    await journal.list(target, { limit: 2 });
    expect((await journal.list('another', { limit: 2, after })).entries).toEqual([]);
  });

  test('count an entry of which a crash left several files once, as its latest file says', async () => {
    const journal = fileJournal(folder.dir);
    const entries = fill(journal, 4);
    const [file = ''] = folder.files().filter((name) => name.includes(entries[0]!.operationId));
    const older = join(folder.dir, 'settled', '2020-01-01');
    fs.mkdirSync(older);
    const name = file.slice(file.lastIndexOf('/') + 1);
    fs.writeFileSync(join(older, name), JSON.stringify({ entry: { ...entries[0], state: 'abandoned' } }));
    const { entries: listed } = await journal.list(target, { limit: 4 });
    expect(listed.map(({ operationId, state }) => [operationId, state])).toEqual(
      entries.map(({ operationId, state }, n) => [operationId, n === 1 ? 'unknown' : state]),
    );
    expect((await journal.list(target, { state: 'abandoned' })).entries).toEqual([]);
  });
});

test('the next page reads its entries and no other file', async () => {
  const journal = fileJournal(folder.dir);
  const entries = fill(journal, 100);
  const { entries: page } = await journal.list(target, { limit: 5 });
  const calls = countFileCalls();
  await journal.list(target, { limit: 5, after: page.at(-1) });
  // In the background, cleaning looks at the open entry.
  const read = calls
    .read()
    .filter((path) => path.endsWith('.json') && !path.includes(entries[1]!.operationId));
  unwatch();
  const next = toIds(entries.slice(5, 10));
  expect(read.length).toBeGreaterThanOrEqual(next.length);
  expect(read.filter((path) => !next.some((id) => path.includes(id)))).toEqual([]);
});
