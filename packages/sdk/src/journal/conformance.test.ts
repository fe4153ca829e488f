import { describe, expect, test } from 'vitest';
import { journalConformance } from './conformance.ts';
import type { EntryKey, Journal, JournalEntry, JournalListing } from './journal.ts';
import { memoryJournal } from './memory.ts';

/** A journal that answers at once, so that a flaw can be put over it. */
interface Direct extends Journal {
  add(entry: JournalEntry): boolean;
  get(key: EntryKey): JournalEntry | undefined;
  claim(key: EntryKey, deadline: string): JournalEntry | 'held' | undefined;
  settle(entry: JournalEntry): void;
  list(target: string): JournalListing;
  remove(key: EntryKey): boolean;
}

const sound = (): Direct => memoryJournal() as Direct;
/** One target for everything. */
const anywhere = <K extends EntryKey>(key: K): K => ({ ...key, target: 'anywhere' });
const changed = (entry: JournalEntry | undefined, change: Partial<JournalEntry>): JournalEntry | undefined =>
  entry && { ...entry, ...change };
const listed = (
  journal: Direct,
  target: string,
  of: (entries: readonly JournalEntry[]) => readonly JournalEntry[],
): JournalListing => ({ entries: of(journal.list(target).entries), problems: [] });

/** The rule that is broken, how, by what over a sound journal, and what the case says. */
const flaws: readonly [
  rule: string,
  flaw: string,
  over: (journal: Direct) => Partial<Journal>,
  says: RegExp,
][] = [
  [
    'keeps an entry as it was given, byte for byte',
    'an addition that does not say that it succeeded',
    (journal) => ({ add: (entry) => !journal.add(entry) }),
    /^add: expected true, got false$/,
  ],
  [
    'keeps an entry as it was given, byte for byte',
    'a body that was parsed and written again',
    (journal) => ({
      get: (key) => {
        const entry = journal.get(key);
        return entry && { ...entry, body: JSON.stringify(JSON.parse(entry.body)) };
      },
    }),
    /^get: expected .*1e2.*, got .*100/,
  ],
  [
    'keeps an entry as it was given, byte for byte',
    'a list that leaves fields out',
    (journal) => ({
      list: (target) => listed(journal, target, (all) => all.map((entry) => ({ ...entry, path: '' }))),
    }),
    /^list: /,
  ],
  [
    'does not keep a second entry under a known key',
    'a second addition that succeeds',
    (journal) => ({ add: (entry) => journal.add(entry) || true }),
    /^second add: expected false, got true$/,
  ],
  [
    'does not keep a second entry under a known key',
    'a second addition that overwrites the first',
    (journal) => ({
      add: (entry) => {
        const isNew = journal.add(entry);
        if (!isNew) journal.settle(entry);
        return isNew;
      },
    }),
    /^the first stays: /,
  ],
  [
    'tells one of many simultaneous additions that it was first',
    'a look that waits before it writes',
    (journal) => ({
      add: async (entry) => {
        const isNew = journal.get(entry) === undefined;
        await Promise.resolve();
        journal.add(entry);
        return isNew;
      },
    }),
    /^additions that succeeded: expected 1, got 20$/,
  ],
  [
    'keeps targets apart',
    'an addition that is refused',
    () => ({ add: () => false }),
    /^here: expected true, got false$/,
  ],
  [
    'keeps targets apart',
    'entries known by their id alone',
    (journal) => ({ add: (entry) => journal.add(anywhere(entry)) }),
    /^there, under the same id: expected true, got false$/,
  ],
  [
    'keeps targets apart',
    'a list of every target',
    (journal) => {
      const all: JournalEntry[] = [];
      return {
        add: (entry) => {
          all.push(entry);
          return journal.add(entry);
        },
        list: () => ({ entries: all, problems: [] }),
      };
    },
    /^list of here: /,
  ],
  [
    'keeps targets apart',
    'a removal that finds nothing',
    () => ({ remove: () => false }),
    /^remove there: expected true, got false$/,
  ],
  [
    'keeps targets apart',
    'a removal under every target',
    (journal) => ({
      remove: (key) => {
        const { entries } = journal.list('https://example.com/api/v1#0123456789abcdef0123456789abcdef');
        for (const entry of entries) if (entry.operationId === key.operationId) journal.remove(entry);
        return journal.remove(key);
      },
    }),
    /^here stays: /,
  ],
  [
    'holds an entry from add to settle',
    'an addition that does not hold',
    (journal) => ({
      add: (entry) => {
        const isNew = journal.add(entry);
        journal.settle(entry);
        return isNew;
      },
    }),
    /^claim while held: expected "held", got \{/,
  ],
  [
    'holds an entry from add to settle',
    'a settlement that keeps the state',
    (journal) => ({ settle: (entry) => journal.settle({ ...entry, state: 'pending' }) }),
    /^state after settle: expected "unknown", got "pending"$/,
  ],
  [
    'holds an entry from add to settle',
    'a settlement that loses the entry',
    (journal) => ({ settle: (entry) => void journal.remove(entry) }),
    /^state after settle: expected "unknown", got undefined$/,
  ],
  [
    'holds an entry from add to settle',
    'a settlement that does not count',
    (journal) => ({ settle: (entry) => journal.settle({ ...entry, attempts: 0 }) }),
    /^attempts after settle: expected 2, got 0$/,
  ],
  [
    'holds an entry from add to settle',
    'a claim that keeps the old deadline',
    (journal) => ({
      claim: (key, deadline) => {
        const claimed = journal.claim(key, deadline);
        return claimed === 'held' ? claimed : journal.get(key);
      },
    }),
    /^claim after: /,
  ],
  [
    'holds an entry from add to settle',
    'a claim that does not hold',
    (journal) => ({
      claim: (key, deadline) => {
        const claimed = journal.claim(key, deadline);
        if (claimed !== 'held' && claimed) journal.settle(claimed);
        return claimed;
      },
    }),
    /^second claim: expected "held", got \{/,
  ],
  [
    'holds a settled entry from claim until it is settled again or removed',
    'a claim that leaves what is settled to everybody',
    (journal) => ({
      claim: (key, deadline) => {
        const known = journal.get(key);
        return known?.state === 'refused' ? { ...known, deadline } : journal.claim(key, deadline);
      },
    }),
    /^second claim: expected "held"/,
  ],
  [
    'gives an entry to one of many simultaneous claims',
    'a claim that goes to all who ask',
    (journal) => ({ claim: (key, deadline) => changed(journal.get(key), { deadline }) }),
    /^claims that succeeded: expected 1, got 20$/,
  ],
  [
    'gives an entry to one of many simultaneous claims',
    'a settlement that does not let go',
    () => ({ settle: () => {} }),
    /^claims that succeeded: expected 1, got 0$/,
  ],
  [
    'knows nothing of what was never added or was removed',
    'a get that makes something up',
    () => ({ get: (key) => changed({} as JournalEntry, key) }),
    /^get: expected undefined, got \{/,
  ],
  [
    'knows nothing of what was never added or was removed',
    'a claim that holds what is not there',
    () => ({ claim: () => 'held' }),
    /^claim: expected undefined, got "held"$/,
  ],
  [
    'knows nothing of what was never added or was removed',
    'a removal of nothing',
    (journal) => ({ remove: (key) => journal.remove(key) || true }),
    /^remove: expected false, got true$/,
  ],
  [
    'knows nothing of what was never added or was removed',
    'a removal that does not say so',
    (journal) => ({ remove: (key) => journal.remove(key) && false }),
    /^remove after add: expected true, got false$/,
  ],
  [
    'knows nothing of what was never added or was removed',
    'a settlement that brings back what was removed',
    (journal) => ({
      settle: (entry) => {
        journal.add(entry);
        journal.settle(entry);
      },
    }),
    /^a settled entry that was removed stays removed: /,
  ],
  [
    'lists oldest first, whatever the state',
    'a list in the order of the additions',
    (journal) => {
      const added: JournalEntry[] = [];
      return {
        add: (entry) => {
          added.push(entry);
          return journal.add(entry);
        },
        list: () => ({ entries: added, problems: [] }),
      };
    },
    /^order: /,
  ],
  [
    'lists oldest first, whatever the state',
    'a list without what is settled',
    (journal) => ({
      list: (target) =>
        listed(journal, target, (all) =>
          all.filter(({ state }) => state === 'pending' || state === 'unknown'),
        ),
    }),
    /^order: /,
  ],
  [
    'lists oldest first, whatever the state',
    'a list of changes alone',
    (journal) => ({
      list: (target) => listed(journal, target, (all) => all.filter(({ kind }) => kind === 'change')),
    }),
    /^order: /,
  ],
  [
    'keeps why an operation failed and what a keyword write answered',
    'a store that has no place for the answer',
    (journal) => ({ settle: (entry) => journal.settle({ ...entry, result: undefined }) }),
    /^result: expected \{"added":\["a"\],"skipped":\[\]\}, got undefined$/,
  ],
  [
    'keeps why an operation failed and what a keyword write answered',
    'a store that has no place for the reason',
    (journal) => ({ settle: (entry) => journal.settle({ ...entry, error: undefined }) }),
    /^error: expected \{"code":"X","requestId":"r","status":500\}, got undefined$/,
  ],
  [
    'keeps why an operation failed and what a keyword write answered',
    'a store that loses a keyword write',
    (journal) => ({ settle: (entry) => void journal.remove(entry) }),
    /^result: expected .*, got undefined$/,
  ],
];

const run = (rule: string, make: () => Journal | Promise<Journal>): Promise<void> => {
  const found = journalConformance(make).find(({ name }) => name === rule);
  if (found === undefined) throw new Error(`there is no case "${rule}"`);
  return found.run();
};

describe('the conformance suite', () => {
  test.each(flaws)('"%s" is broken by %s', async (rule, _flaw, over, says) => {
    const make = (): Journal => {
      const journal = sound();
      return { ...journal, ...over(journal) };
    };
    await expect(run(rule, make)).rejects.toThrow(says);
    // The flaw is what fails it.
    await run(rule, memoryJournal);
  });

  test('has a flaw for each of its cases', () => {
    const rules = journalConformance(memoryJournal).map(({ name }) => name);
    expect(rules.length).toBeGreaterThan(5);
    expect([...new Set(flaws.map(([rule]) => rule))].sort()).toEqual([...rules].sort());
  });

  test('takes a store that gives fields back in an order of its own', async () => {
    const reversed = <T>(value: T): T => {
      if (Array.isArray(value)) return value.map(reversed) as T;
      if (Object(value) !== value) return value;
      const fields = Object.entries(value as object).map(([name, field]) => [name, reversed(field)]);
      return Object.assign(Object.create(null), Object.fromEntries(fields.reverse())) as T;
    };
    const make = (): Journal => {
      const journal = sound();
      return {
        ...journal,
        get: (key) => reversed(journal.get(key)),
        claim: (key, deadline) => reversed(journal.claim(key, deadline)),
        list: (target) => reversed(journal.list(target)),
      };
    };
    for (const { run } of journalConformance(make)) await run();
  });

  test('waits for a journal that is opened', async () => {
    await run('keeps targets apart', async () => memoryJournal());
    await expect(run('keeps targets apart', () => Promise.reject(new Error('no disk')))).rejects.toThrow(
      'no disk',
    );
  });
});
