import type { Journal, MaybePromise } from '../journal.ts';
import {
  assertEqual,
  assertRejects,
  claimEntry,
  createEntry,
  isHeld,
  type JournalCase,
  newDeadline,
  target,
} from './assertions.ts';

/** Returns what a call answered; undefined if it rejected. */
async function answerOf<T>(call: () => MaybePromise<T>): Promise<{ readonly value: T } | undefined> {
  return (async () => call())().then(
    (value) => ({ value }),
    () => undefined,
  );
}

/**
 * What a journal does if the store does the next thing it is asked, and its reply is lost. Each call may repeat it, and
 * answer, or reject. `loseReply` loses the next reply.
 */
export function createLostReplyCases(
  loseReply: (journal: Journal) => MaybePromise<void>,
): readonly JournalCase[] {
  return [
    [
      'adds an entry once although the reply is lost, or keeps nothing',
      async (journal) => {
        const entry = createEntry();
        await loseReply(journal);
        const added = await answerOf(() => journal.add(entry));
        if (added) assertEqual(added.value, true, 'add');
        assertEqual(await journal.get(entry), added && entry, 'get');
        assertEqual(await journal.add(entry), true, 'add again');
        assertEqual(await claimEntry(journal, entry), isHeld, 'claim while held');
        assertEqual((await journal.list(target)).entries, [entry], 'list');
      },
    ],
    [
      'claims an entry although the reply is lost, or lets go of it',
      async (journal) => {
        const entry = createEntry();
        await journal.add(entry);
        await journal.settle({ ...entry, state: 'unknown' });
        const [deadline, token] = [newDeadline(), crypto.randomUUID()];
        const now = { ...entry, state: 'unknown', deadline, token };
        await loseReply(journal);
        const claimed = await answerOf(() => claimEntry(journal, entry, deadline, token));
        if (claimed) assertEqual(claimed.value, now, 'claim');
        const next = await claimEntry(journal, entry, deadline, 'next');
        assertEqual(next, claimed ? isHeld : { ...now, token: 'next' }, 'claim of another call');
      },
    ],
    [
      'settles an entry although the reply is lost, or lets go of it',
      async (journal) => {
        const entry = createEntry();
        await journal.add(entry);
        const applied = { ...entry, state: 'applied' } as const;
        await loseReply(journal);
        const settled = await answerOf(() => journal.settle(applied));
        if (settled) assertEqual(settled.value, true, 'settle');
        const deadline = newDeadline();
        const { state } = (await journal.get(entry)) ?? {};
        if (settled) assertEqual(state, 'applied', 'state');
        const next = { ...entry, state, deadline, token: 'next' };
        assertEqual(await claimEntry(journal, entry, deadline, 'next'), next, 'claim of another call');
      },
    ],
    [
      'removes an entry although the reply is lost',
      async (journal) => {
        const entry = createEntry();
        await journal.add(entry);
        await loseReply(journal);
        await answerOf(() => journal.remove(entry, entry.token));
        assertEqual(await journal.get(entry), undefined, 'get');
        assertEqual(await journal.remove(entry, entry.token), false, 'remove again');
      },
    ],
  ];
}

/**
 * What a journal does while it cannot reach its store, and afterwards. `partition` cuts it off until the returned
 * function is called; journals that `reopen` opened are not cut off.
 */
export function createPartitionCases(
  partition: (journal: Journal) => MaybePromise<() => MaybePromise<void>>,
): readonly JournalCase[] {
  return [
    [
      'rejects every call while its store is out of reach, and adds nothing later',
      async (journal) => {
        const [entry, late] = [createEntry(), createEntry()];
        await journal.add(entry);
        await journal.settle({ ...entry, state: 'unknown' });
        const heal = await partition(journal);
        try {
          await assertRejects(() => journal.add(late), 'add');
          await assertRejects(() => journal.get(entry), 'get');
          await assertRejects(() => claimEntry(journal, entry), 'claim');
          await assertRejects(() => journal.list(target), 'list');
          await assertRejects(() => journal.remove(entry), 'remove');
        } finally {
          await heal();
        }
        assertEqual(await journal.get(late), undefined, 'get of what could not be added');
        const listed = (await journal.list(target)).entries.map(({ operationId }) => operationId);
        assertEqual(listed, [entry.operationId], 'list');
      },
    ],
    [
      'lets another call continue an entry whose outcome could not be recorded',
      async (journal) => {
        const entry = createEntry();
        await journal.add(entry);
        const heal = await partition(journal);
        try {
          await assertRejects(() => journal.settle({ ...entry, state: 'unknown', attempts: 1 }), 'settle');
        } finally {
          await heal();
        }
        const claimed = await journal.claim(entry, { token: 'next', deadline: newDeadline() });
        assertEqual(claimed?.entry?.operationId, entry.operationId, 'claim');
        assertEqual(claimed?.entry?.token, 'next', 'token of the claim');
        const late = await answerOf(() => journal.settle({ ...entry, state: 'refused' }));
        assertEqual(late?.value ?? false, false, 'settle under the first token');
      },
    ],
  ];
}
