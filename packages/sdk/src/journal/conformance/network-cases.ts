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

/** Returns what a call answered; undefined if it rejected. */
async function getAnswer<T>(call: () => MaybePromise<T>): Promise<{ readonly value: T } | undefined> {
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
        const added = await getAnswer(() => journal.add(entry));
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
        const claimed = await getAnswer(() => claimEntry(journal, entry, deadline, token));
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
        const settled = await getAnswer(() => journal.settle(applied));
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
        await getAnswer(() => journal.remove(entry, entry.token));
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
        assertEqual(listed, [entry.operationId], 'list after the partition');
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
        const late = await getAnswer(() => journal.settle({ ...entry, state: 'refused' }));
        assertEqual(late?.value ?? false, false, 'settle under the first token');
      },
    ],
    [
      'lets go of each of several entries, and leaves nothing to send, if no outcome could be recorded',
      async (journal) => {
        const states = ['unknown', 'abandoned', 'refused', 'unknown', 'abandoned'] as const;
        const held = states.map((state) => ({ entry: createEntry(), state }));
        for (const { entry } of held) await journal.add(entry);
        const heal = await partition(journal);
        try {
          for (const { entry, state } of held)
            await assertRejects(() => journal.settle({ ...entry, state }), `settle as ${state}`);
        } finally {
          await heal();
        }
        for (const [index, { entry, state }] of held.entries()) {
          const found = await journal.get(entry);
          const where = `entry ${index + 1}, ${state}`;
          if (state === 'unknown') {
            // A settlement that arrives late may have recorded the outcome all the same.
            const claimed = await claimEntry(journal, entry, entry.deadline, 'next');
            assertEqual(claimed, { ...entry, state: found?.state, token: 'next' }, where);
          } else if (found && !isSettled(found))
            throw new Error(`${where}: expected nothing to be sent, got ${canonical(found)}`);
        }
      },
    ],
  ];
}
