import { describe, expect, test } from 'vitest';
import { createSoundJournal } from '../../../test-support/journals/flawed-journal.ts';
import type { Journal } from '../journal.ts';
import { memoryJournal } from '../memory.ts';
import { type ConformanceCase, journalConformance } from './journal-conformance.ts';

/* The cases of the conformance suite for what other processes see, and what breaks each. */

type Front = (store: ReturnType<typeof createSoundJournal>) => Partial<Journal>;

/** The cases for journals in front of one store each, which other processes see without the journal. */
function createCases(createFront: Front): readonly ConformanceCase[] {
  const stores = new Map<Journal, Journal>();
  const make = (): Journal => {
    const store = createSoundJournal();
    const journal = { ...store, ...createFront(store) };
    stores.set(journal, store);
    return journal;
  };
  const all = journalConformance(make, { reopen: (journal) => stores.get(journal) ?? journal });
  const usual = new Set(journalConformance(make).map(({ name }) => name));
  return all.filter(({ name }) => !usual.has(name));
}

const flaws: readonly [rule: string, flaw: string, createFront: Front, says: RegExp][] = [
  [
    'has an entry in place for other processes as soon as add resolves',
    'an addition that answers before the store has the entry',
    (store) => {
      const early = memoryJournal();
      return {
        add: (entry) => {
          setImmediate(() => store.add(entry));
          return early.add(entry);
        },
        get: early.get,
      };
    },
    /^get: expected .*, got undefined$/,
  ],
  [
    'has an outcome in place for other processes as soon as settle resolves',
    'a settlement that answers before the store has the outcome',
    (store) => ({
      settle: (entry) => {
        setImmediate(() => store.settle(entry));
        return true;
      },
    }),
    /^get: expected .*"state":"unknown".*, got .*"state":"pending"/,
  ],
  [
    'has removed an entry for other processes as soon as remove resolves',
    'a removal from a cache alone',
    () => ({ remove: () => true }),
    /^get: expected undefined, got /,
  ],
];

describe('the conformance suite', () => {
  test.each(flaws)('"%s" is broken by %s', async (rule, _flaw, createFront, says) => {
    const find = (cases: readonly ConformanceCase[]) => cases.find(({ name }) => name === rule);
    await expect(find(createCases(createFront))?.run()).rejects.toThrow(says);
    await find(createCases(() => ({})))?.run();
  });

  test('has a flaw for each of these cases', () => {
    expect(createCases(() => ({})).map(({ name }) => name)).toEqual(flaws.map(([rule]) => rule));
  });
});
