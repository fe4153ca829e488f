import { expect, test } from 'vitest';
import {
  createSoundJournal,
  describeFlaws,
  type Flaw,
} from '../../../test-support/journals/flawed-journal.ts';
import type { Journal, JournalEntry } from '../journal.ts';
import { memoryJournal } from '../memory.ts';
import { createOwnClockCases, nextAttemptCases } from './next-attempt-cases.ts';

const flaws: readonly Flaw[] = [
  [
    'keeps when an operation is sent again at the earliest, and how often it was',
    'a store that does not keep it',
    (journal) => ({ settle: ({ nextAttempt: _, ...entry }) => journal.settle(entry) }),
    /^get: repeats: expected 3/,
  ],
  [
    'keeps when an operation is sent again at the earliest, and how often it was',
    'a claim that begins the wait anew',
    (journal) => ({
      claim(key, hold) {
        const claim = journal.claim(key, hold);
        return claim?.entry ? { entry: { ...claim.entry, nextAttempt: undefined } } : claim;
      },
    }),
    /^claim: repeats: expected 3/,
  ],
  [
    'replaces the next attempt of an operation with every settlement',
    'a store that keeps the first one',
    (journal) => ({
      settle(entry) {
        const nextAttempt = journal.get(entry)?.nextAttempt ?? entry.nextAttempt;
        return journal.settle({ ...entry, nextAttempt });
      },
    }),
    /^get: expected the next attempt in 21600000 ms/,
  ],
];

describeFlaws(nextAttemptCases, flaws);

const { now } = Date;
const setClock = (ms: number) => {
  Date.now = () => now() + ms;
  return () => {
    Date.now = now;
  };
};

/** A journal whose store has the right time. */
function createJournalWithClock(): Journal {
  const journal = createSoundJournal();
  const shift = (entry: JournalEntry, ms: number): JournalEntry => {
    const { nextAttempt } = entry;
    if (!nextAttempt) return entry;
    const at = new Date(Date.parse(nextAttempt.at) + ms).toISOString();
    return { ...entry, nextAttempt: { ...nextAttempt, at } };
  };
  const offsetMs = (): number => Date.now() - now();
  return {
    ...journal,
    get(key) {
      const entry = journal.get(key);
      return entry && shift(entry, offsetMs());
    },
    settle: (entry) => journal.settle(shift(entry, -offsetMs())),
  };
}

test.each(createOwnClockCases(setClock))('"%s" needs a store with a clock of its own', async (_, check) => {
  await check(createJournalWithClock());
  await expect(check(memoryJournal())).rejects.toThrow(/^get by the right clock: expected the next attempt/);
});
