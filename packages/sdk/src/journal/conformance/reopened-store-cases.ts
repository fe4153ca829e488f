import type { Journal, MaybePromise } from '../journal.ts';
import { assertEqual, claimEntry, createEntry, isHeld, type JournalCase, target } from './assertions.ts';

/**
 * What another process sees. A journal that answers before its store has the data would lose it with the process, and
 * the request is sent as soon as `add` resolves.
 */
export function createReopenedStoreCases(
  reopen: (journal: Journal) => MaybePromise<Journal>,
): readonly JournalCase[] {
  return [
    [
      'has an entry in place for other processes as soon as add resolves',
      async (journal) => {
        const entry = createEntry();
        await journal.add(entry);
        const other = await reopen(journal);
        assertEqual(await other.get(entry), entry, 'get');
        assertEqual((await other.list(target, { open: true })).entries, [entry], 'list of open entries');
        assertEqual(await other.add({ ...entry, token: 'another' }), false, 'add under the same id');
        assertEqual(await claimEntry(other, entry), isHeld, 'claim');
      },
    ],
    [
      'has an outcome in place for other processes as soon as settle resolves',
      async (journal) => {
        const entry = createEntry();
        await journal.add(entry);
        const unknown = { ...entry, state: 'unknown', attempts: 1 } as const;
        await journal.settle(unknown);
        const other = await reopen(journal);
        assertEqual(await other.get(entry), unknown, 'get');
        const claimed = { ...unknown, deadline: entry.deadline, token: 'another' };
        assertEqual(await claimEntry(other, entry, entry.deadline, 'another'), claimed, 'claim');
      },
    ],
    [
      'has removed an entry for other processes as soon as remove resolves',
      async (journal) => {
        const entry = createEntry();
        await journal.add(entry);
        await journal.remove(entry);
        const other = await reopen(journal);
        assertEqual(await other.get(entry), undefined, 'get');
        assertEqual((await other.list(target)).entries, [], 'list');
      },
    ],
  ];
}
