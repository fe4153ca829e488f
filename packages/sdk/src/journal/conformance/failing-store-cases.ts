import { isSettled } from '../entries.ts';
import type { Journal, MaybePromise } from '../journal.ts';
import {
  assertEqual,
  assertRejects,
  canonical,
  claimEntry,
  createEntry,
  isHeld,
  type JournalCase,
  newDeadline,
  target,
} from './assertions.ts';

/** What is left of a write that fails. `failWrites` makes the store fail until the function it returns is called. */
export function createFailingStoreCases(
  failWrites: (journal: Journal) => MaybePromise<() => MaybePromise<void>>,
): readonly JournalCase[] {
  /** Makes one write fail. */
  async function failing(journal: Journal, write: () => MaybePromise<unknown>, what: string): Promise<void> {
    const end = await failWrites(journal);
    try {
      await assertRejects(write, what);
    } finally {
      await end();
    }
  }
  return [
    [
      'keeps nothing of an entry whose addition fails',
      async (journal) => {
        const entry = createEntry();
        await failing(journal, () => journal.add(entry), 'add');
        assertEqual(await journal.get(entry), undefined, 'get');
        assertEqual((await journal.list(target)).entries, [], 'list');
        assertEqual(await journal.add(entry), true, 'add again');
        assertEqual(await claimEntry(journal, entry), isHeld, 'claim of what was added again');
      },
    ],
    [
      'releases an entry whose settlement fails, and keeps it open',
      async (journal) => {
        const entry = createEntry();
        await journal.add(entry);
        const unknown = { ...entry, state: 'unknown' } as const;
        await failing(journal, () => journal.settle(unknown), 'settle');
        const [deadline, token] = [newDeadline(), crypto.randomUUID()];
        assertEqual(
          await claimEntry(journal, entry, deadline, token),
          { ...entry, deadline, token },
          'claim',
        );
        await journal.settle({ ...unknown, token });
        assertEqual(await journal.get(entry), { ...unknown, token }, 'get after settle');
      },
    ],
    [
      'leaves nothing to send if settling a refused or unsent entry fails',
      async (journal) => {
        for (const state of ['refused', 'abandoned'] as const) {
          const entry = createEntry();
          await journal.add(entry);
          const error = { code: 'FORBIDDEN', status: 403 };
          await failing(journal, () => journal.settle({ ...entry, state, error }), 'settle');
          const left = await journal.get(entry);
          if (left && !isSettled(left))
            throw new Error(`${state}: expected nothing to be sent, got ${canonical(left)}`);
        }
      },
    ],
  ];
}
