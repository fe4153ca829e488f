import { describe, expect, test } from 'vitest';
import type { Journal, JournalEntry } from '../journal.ts';
import { memoryJournal } from '../memory.ts';
import { type ConformanceOptions, journalConformance } from './journal-conformance.ts';

/* The cases of the conformance suite for a store that fails, and what breaks each. */

/** How a store goes about a write that fails; each throws, or does not say so. */
interface Failing {
  add?(journal: Journal, entry: JournalEntry): unknown;
  settle?(journal: Journal, entry: JournalEntry): unknown;
}

const full = (): never => {
  throw new Error('no room');
};

/** In memory, with a store that can fail. A sound one keeps what it has, lets go, and drops what is not to be sent. */
const sound: Required<Failing> = {
  add: full,
  async settle(journal, { state, ...entry }) {
    await (state === 'unknown' || state === 'applied'
      ? journal.settle({ ...entry, state: 'pending' })
      : journal.remove(entry));
    full();
  },
};

function createSuite(failing: Failing) {
  let isFull = false;
  const make = (): Journal => {
    const journal = memoryJournal();
    const store = { ...sound, ...failing };
    return {
      ...journal,
      add: (entry) => (isFull ? (store.add(journal, entry) as boolean) : journal.add(entry)),
      settle: (entry) => (isFull ? (store.settle(journal, entry) as boolean) : journal.settle(entry)),
    };
  };
  const options: ConformanceOptions = {
    failWrites: () => {
      isFull = true;
      return () => {
        isFull = false;
      };
    },
  };
  return { cases: journalConformance(make, options), isFull: () => isFull };
}

const flaws: readonly [rule: string, flaw: string, failing: Failing, says: RegExp][] = [
  [
    'keeps nothing of an entry whose addition fails',
    'an addition that fails and does not say so',
    { add: () => true },
    /^add: expected it to reject, got true$/,
  ],
  [
    'keeps nothing of an entry whose addition fails',
    'an entry that is kept all the same',
    {
      async add(journal, entry) {
        await journal.add(entry);
        full();
      },
    },
    /^get: expected undefined, got \{/,
  ],
  [
    'releases an entry whose settlement fails, and keeps it open',
    'a settlement that fails and does not say so',
    { settle: () => undefined },
    /^settle: expected it to reject, got undefined$/,
  ],
  [
    'releases an entry whose settlement fails, and keeps it open',
    'an entry that stays held',
    { settle: full },
    /^claim: expected \{.*, got \{"isHeld":true\}$/,
  ],
  [
    'releases an entry whose settlement fails, and keeps it open',
    'an entry that goes, though it may be applied',
    {
      async settle(journal, entry) {
        await journal.remove(entry);
        full();
      },
    },
    /^claim: expected \{.*, got undefined$/,
  ],
  [
    'leaves nothing to send if settling a refused or unsent entry fails',
    'an entry that stays pending',
    {
      async settle(journal, entry) {
        await journal.settle({ ...entry, state: 'pending' });
        full();
      },
    },
    /^refused: expected nothing to be sent, got \{/,
  ],
];

describe('the conformance suite for a store that fails', () => {
  test.each(flaws)('"%s" is broken by %s', async (rule, _flaw, failing, says) => {
    const { cases, isFull } = createSuite(failing);
    await expect(cases.find(({ name }) => name === rule)?.run()).rejects.toThrow(says);
    expect(isFull()).toBe(false);
  });

  test('accepts a journal that keeps entries, releases holds, and removes what must not be sent', async () => {
    for (const { run } of createSuite({}).cases) await run();
  });

  test('has a flawed journal for each of its cases', () => {
    const without = journalConformance(memoryJournal).map(({ name }) => name);
    const added = createSuite({})
      .cases.map(({ name }) => name)
      .filter((name) => !without.includes(name));
    expect([...new Set(flaws.map(([rule]) => rule))]).toEqual(added);
  });
});
