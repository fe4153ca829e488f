import { describe, expect, test } from 'vitest';
import { entry, target } from '../../test-support/journals/journal-entries.ts';
import { applied, scripted } from '../../test-support/servers/scripted.ts';
import type { Journal } from './journal.ts';
import { memoryJournal } from './memory.ts';
import { defaultPageSize, readPages } from './read-pages.ts';

const count = 2 * defaultPageSize + 50;

/** A journal with unknown entries of a target; `asked` has the limit and the position of each list. */
function createLargeJournal(of: string) {
  const journal = memoryJournal();
  const asked: { limit: number | undefined; after: string | undefined }[] = [];
  const ids = Array.from({ length: count }, () => {
    const one = entry({ target: of, state: 'unknown', body: '{"change":{"action":"create-tags"}}' });
    journal.add(one);
    journal.settle(one);
    return one.operationId;
  });
  const recording: Journal = {
    ...journal,
    list(name, options = {}) {
      asked.push({ limit: options.limit, after: options.after?.operationId });
      return journal.list(name, options);
    },
  };
  return { journal: recording, asked, ids };
}

const pageStarts = (ids: readonly string[]) =>
  [undefined, ids[defaultPageSize - 1], ids[2 * defaultPageSize - 1]].map((after) => ({
    limit: defaultPageSize,
    after,
  }));

describe('a journal', () => {
  test('is read page by page', async () => {
    const { journal, asked, ids } = createLargeJournal(target);
    const read: string[] = [];
    for await (const { entries } of readPages(journal, target))
      read.push(...entries.map(({ operationId }) => operationId));
    expect(read).toEqual(ids);
    expect(asked).toEqual(pageStarts(ids));
  });

  test('that always answers with the same page is read once', async () => {
    const { journal, ids } = createLargeJournal(target);
    const stuck: Journal = { ...journal, list: (name, { limit } = {}) => journal.list(name, { limit }) };
    const pages: number[] = [];
    for await (const { entries } of readPages(stuck, target)) pages.push(entries.length);
    expect(pages).toEqual([defaultPageSize]);
    const whole: Journal = { ...journal, list: (name) => journal.list(name) };
    const found: number[] = [];
    for await (const { entries } of readPages(whole, target)) found.push(entries.length);
    expect(found).toEqual([ids.length]);
  });

  test('is resumed page by page', async () => {
    const name = await getTarget();
    const { journal, asked, ids } = createLargeJournal(name);
    const { client } = scripted([...Array.from({ length: count }, () => applied)], {
      journal,
      pacing: false,
    });
    const outcomes = await client.operations.resumeAll();
    expect(outcomes.map(({ operationId, state }) => [operationId, state])).toEqual(
      ids.map((id) => [id, 'applied']),
    );
    expect(asked).toEqual(pageStarts(ids));
  });
});

/** The target of a scripted client. */
async function getTarget(): Promise<string> {
  const journal = memoryJournal();
  let found = '';
  const { client } = scripted([], {
    journal: {
      ...journal,
      list(name, options) {
        found = name;
        return journal.list(name, options);
      },
    },
  });
  await client.operations.list();
  return found;
}
