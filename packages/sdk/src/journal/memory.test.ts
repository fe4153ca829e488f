import { describe, expect, onTestFinished, test, vi } from 'vitest';
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

describe('a write that is added to a memory journal twice', () => {
  const own: JournalEntry = { ...nth(1), token: 'own' };

  test('is its holder, if the reply to the first add was lost', () => {
    const journal = memoryJournal();
    expect(journal.add(own)).toBe(true);
    expect(journal.add(own)).toBe(true);
  });

  test('is not its holder under another token, without a token, or after it was settled', () => {
    const journal = memoryJournal();
    journal.add(own);
    expect(journal.add({ ...own, token: 'another' })).toBe(false);
    journal.settle({ ...own, state: 'unknown' });
    expect(journal.add(own)).toBe(false);
    const older = memoryJournal();
    older.add(nth(1));
    expect(older.add(nth(1))).toBe(false);
  });
});

test('a refused claim reports when the hold ends, until that time', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const journal = memoryJournal();
  const now = Date.now();
  const one: JournalEntry = { ...nth(1), token: 'own', deadline: new Date(now + 60_000).toISOString() };
  journal.add(one);
  const refused = () =>
    journal.claim(one, { token: 'another', deadline: new Date(now + 90_000).toISOString() });
  const heldUntil = new Date(now + 65_000).toISOString();
  expect(refused()).toEqual({ heldUntil });
  vi.setSystemTime(now + 64_999);
  expect(refused()).toEqual({ heldUntil });
  vi.setSystemTime(now + 65_000);
  expect(refused()).toEqual({ heldUntil: undefined });
});
