import { describe, expect, test } from 'vitest';
import type { Journal, JournalEntry, OperationState } from './journal.ts';
import { memoryJournal } from './memory.ts';

const target = 'https://api.example.com/api/v1#0123';

/** The nth entry, as old as it is low. */
const nth = (n: number): JournalEntry => ({
  format: 1,
  operationId: `00000000-0000-4000-8000-00000000000${n}`,
  target,
  kind: 'change',
  path: '/chat/changes',
  body: '{}',
  state: 'pending',
  createdAt: new Date(n).toISOString(),
  updatedAt: new Date(n).toISOString(),
  deadline: new Date(60_000).toISOString(),
  attempts: 0,
});

const kept = async (journal: Journal): Promise<number[]> =>
  (await journal.list(target)).entries.map(({ createdAt }) => Date.parse(createdAt));

async function settle(journal: Journal, n: number, state: OperationState): Promise<void> {
  await journal.add(nth(n));
  await journal.settle({ ...nth(n), state });
}

describe('a memory journal that is full', () => {
  test('removes the entries that were settled first, and no more than necessary', async () => {
    const journal = memoryJournal({ maxEntries: 3 });
    for (const n of [1, 2, 3]) await settle(journal, n, 'applied');
    expect(await kept(journal)).toEqual([1, 2, 3]);
    await settle(journal, 4, 'refused');
    expect(await kept(journal)).toEqual([2, 3, 4]);
    await settle(journal, 5, 'abandoned');
    expect(await kept(journal)).toEqual([3, 4, 5]);
  });

  test('keeps all pending and unknown entries, however many', async () => {
    const journal = memoryJournal({ maxEntries: 1 });
    await journal.add(nth(1));
    await settle(journal, 2, 'unknown');
    await settle(journal, 3, 'applied');
    await settle(journal, 4, 'unknown');
    expect(await kept(journal)).toEqual([1, 2, 4]);
  });
});

test('a memory journal lists by age, and has no problems', async () => {
  const journal = memoryJournal();
  for (const n of [3, 1, 5, 2, 4]) await journal.add(nth(n));
  expect(await kept(journal)).toEqual([1, 2, 3, 4, 5]);
  expect((await journal.list(target)).problems).toEqual([]);
});
