import { describe, expect, test } from 'vitest';
import { journalConformance } from './conformance.ts';
import type {
  Claim,
  EntryKey,
  Hold,
  Journal,
  JournalEntry,
  JournalListing,
  JournalListOptions,
} from './journal.ts';
import { memoryJournal } from './memory.ts';

/** A journal that answers at once, so that a flaw can be put over it. */
interface Direct extends Journal {
  add(entry: JournalEntry): boolean;
  get(key: EntryKey): JournalEntry | undefined;
  claim(key: EntryKey, hold: Hold): Claim | undefined;
  settle(entry: JournalEntry): boolean;
  list(target: string, options?: JournalListOptions): JournalListing;
  remove(key: EntryKey, token?: string): boolean;
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
    'keeps an entry as it was given, byte for byte',
    'a store that has no place for the token',
    (journal) => ({ get: (key) => changed(journal.get(key), { token: undefined }) }),
    /^get: expected .*"token".*, got /,
  ],
  [
    'keeps an entry as it was given, byte for byte',
    'a store that has no place for the fingerprint',
    (journal) => ({ get: (key) => changed(journal.get(key), { fingerprint: undefined }) }),
    /^get: expected .*"fingerprint".*, got /,
  ],
  [
    'says until when an entry is held, if it knows',
    'a time before the deadline',
    () => ({ claim: () => ({ heldUntil: new Date(0).toISOString() }) }),
    /^held until: expected .* or later, got 1970/,
  ],
  [
    'refuses to settle or remove an entry under a token that no longer holds it',
    'a settlement that does not look at the token',
    (journal) => ({
      settle: (entry) => {
        const token = journal.get(entry)?.token;
        return journal.settle({ ...entry, token });
      },
    }),
    /^settle under the first token: expected false, got true$/,
  ],
  [
    'refuses to settle or remove an entry under a token that no longer holds it',
    'a removal that does not look at the token',
    (journal) => ({ remove: (key) => journal.remove(key) }),
    /^remove under the first token: expected false, got true$/,
  ],
  [
    'refuses to settle or remove an entry under a token that no longer holds it',
    'a late settlement that writes and says that it did not',
    (journal) => ({
      settle: (entry) => {
        const token = journal.get(entry)?.token;
        journal.settle({ ...entry, token });
        return token === entry.token;
      },
    }),
    /^get: expected /,
  ],
  [
    'refuses to settle or remove an entry under a token that no longer holds it',
    'a late settlement that lets go of the entry',
    (journal) => ({
      settle: (entry) => {
        const now = journal.get(entry);
        if (now && now.token !== entry.token) journal.settle(now);
        return journal.settle(entry);
      },
    }),
    /^claim while held: expected \{"isHeld":true\}, got /,
  ],
  [
    'answers a call that is repeated after a lost reply as the first time',
    'an addition that does not know its own token',
    (journal) => ({ add: (entry) => journal.get(entry) === undefined && journal.add(entry) }),
    /^add again: expected true, got false$/,
  ],
  [
    'answers a call that is repeated after a lost reply as the first time',
    'a settlement that wants a hold',
    (journal) => {
      const settled = new Set<string>();
      return {
        settle: (entry) => {
          const name = `${entry.operationId} ${entry.token}`;
          return !settled.has(name) && settled.add(name) && journal.settle(entry);
        },
      };
    },
    /^settle again: expected true, got false$/,
  ],
  [
    'answers a call that is repeated after a lost reply as the first time',
    'a claim that is held up by itself',
    (journal) => ({
      claim: (key, hold) =>
        journal.get(key)?.token === hold.token ? { heldUntil: undefined } : journal.claim(key, hold),
    }),
    /^claim again: expected .*, got \{"isHeld":true\}$/,
  ],
  [
    'answers a call that is repeated after a lost reply as the first time',
    'a claim that is not renewed',
    (journal) => ({
      claim: (key, hold) => {
        const now = journal.get(key);
        return now?.token === hold.token ? { entry: now } : journal.claim(key, hold);
      },
    }),
    /^claim with a later deadline: /,
  ],
  [
    'lists only open entries on request',
    'a list that does not know of it',
    (journal) => ({ list: (target) => journal.list(target) }),
    /^open entries: /,
  ],
  [
    'lists only open entries on request',
    'a list of what is pending alone',
    (journal) => ({
      list: (target) => listed(journal, target, (all) => all.filter(({ state }) => state === 'pending')),
    }),
    /^open entries: /,
  ],
  [
    'lists in pages that neither repeat nor omit an entry',
    'a list that knows no limit',
    (journal) => ({ list: (target, options) => journal.list(target, { ...options, limit: undefined }) }),
    /^page: expected at most 3 entries, got 7$/,
  ],
  [
    'lists in pages that neither repeat nor omit an entry',
    'pages that go by the time alone',
    (journal) => ({
      list: (target, { after, limit } = {}) => ({
        ...listed(journal, target, (all) =>
          all.filter(({ createdAt }) => !after || createdAt > after.createdAt).slice(0, limit),
        ),
      }),
    }),
    /^ids of all pages: /,
  ],
  [
    'lists in pages that neither repeat nor omit an entry',
    'pages that begin at the entry they should follow',
    (journal) => ({
      list: (target, { after, limit } = {}) =>
        listed(journal, target, (all) =>
          all
            .slice(after ? all.findIndex((entry) => entry.operationId === after.operationId) : 0)
            .slice(0, limit),
        ),
    }),
    /^ids of all pages: /,
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
        if (!isNew) journal.settle({ ...entry, token: journal.get(entry)?.token });
        return isNew;
      },
    }),
    /^the first stays: /,
  ],
  [
    'does not keep a second entry under a known key',
    'an addition over what is settled',
    (journal) => ({
      add: (entry) => {
        if (journal.get(entry)?.state === 'applied') journal.remove(entry);
        return journal.add(entry);
      },
    }),
    /^add of what is settled: expected false, got true$/,
  ],
  [
    'does not keep a second entry under a known key',
    'an addition that makes what is settled pending',
    (journal) => ({
      add: (entry) => {
        const known = journal.get(entry);
        if (known?.state === 'applied') journal.settle({ ...known, state: 'pending' });
        return journal.add(entry);
      },
    }),
    /^what is settled stays: /,
  ],
  [
    'lets one of many simultaneous additions succeed',
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
    /^claim while held: expected \{"isHeld":true\}, got \{"attempts"/,
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
    (journal) => ({ settle: (entry) => journal.remove(entry) }),
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
      claim: (key, hold) => {
        const before = journal.get(key);
        const claim = journal.claim(key, hold);
        return claim?.entry && before ? { entry: { ...claim.entry, deadline: before.deadline } } : claim;
      },
    }),
    /^claim after: /,
  ],
  [
    'holds an entry from add to settle',
    'a claim that does not hold',
    (journal) => ({
      claim: (key, hold) => {
        const claim = journal.claim(key, hold);
        if (claim?.entry) journal.settle(claim.entry);
        return claim;
      },
    }),
    /^second claim: expected \{"isHeld":true\}, got \{"attempts"/,
  ],
  [
    'holds a settled entry from claim until it is settled again or removed',
    'a claim that leaves what is settled to everybody',
    (journal) => ({
      claim: (key, hold) => {
        const known = journal.get(key);
        return known?.state === 'refused' ? { entry: { ...known, ...hold } } : journal.claim(key, hold);
      },
    }),
    /^second claim: expected \{"isHeld":true\}/,
  ],
  [
    'gives an entry to one of many simultaneous claims',
    'a claim that goes to all who ask',
    (journal) => ({
      claim: (key, hold) => {
        const known = journal.get(key);
        return known && { entry: { ...known, ...hold } };
      },
    }),
    /^claims that succeeded: expected 1, got 20$/,
  ],
  [
    'gives an entry to one of many simultaneous claims',
    'a settlement that does not let go',
    () => ({ settle: () => true }),
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
    () => ({ claim: () => ({ heldUntil: undefined }) }),
    /^claim: expected undefined, got \{"isHeld":true\}$/,
  ],
  [
    'knows nothing of what was never added or was removed',
    'a removal of nothing',
    (journal) => ({ remove: (key, token) => journal.remove(key, token) || true }),
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
        const isThere = journal.get(entry) !== undefined;
        journal.add(entry);
        return journal.settle(entry) && isThere;
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
    /^error: expected \{"code":"X",.*,"status":500\}, got undefined$/,
  ],
  [
    'keeps why an operation failed and what a keyword write answered',
    'a store that loses a keyword write',
    (journal) => ({ settle: (entry) => journal.remove(entry) }),
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

  const late = 'gives an entry whose hold has ended to another claim, and refuses the late holder';

  /** A journal in memory whose holds end. */
  function leased({ isFenced }: { readonly isFenced: boolean }): Journal {
    const journal = sound();
    return {
      ...journal,
      claim(key, hold) {
        const now = journal.get(key);
        if (now && Date.parse(now.deadline) < Date.now()) journal.settle(now);
        return journal.claim(key, hold);
      },
      settle: (entry) => journal.settle(isFenced ? entry : { ...entry, token: journal.get(entry)?.token }),
    };
  }

  test.each<[string, () => Journal, RegExp]>([
    ['holds that never end', memoryJournal, /^claim past the deadline: expected .*, got \{"isHeld":true\}$/],
    ['a late holder that settles', () => leased({ isFenced: false }), /^settle of the first holder: /],
    [
      'a late holder that removes',
      () => {
        const journal = leased({ isFenced: true });
        return { ...journal, remove: (key) => journal.remove(key) };
      },
      /^remove of the first holder: /,
    ],
  ])('asked for holds that end, is broken by %s', async (_flaw, make, says) => {
    const isLate = ({ name }: { readonly name: string }) => name === late;
    await expect(journalConformance(make, { holdsEnd: true }).find(isLate)?.run()).rejects.toThrow(says);
    await journalConformance(() => leased({ isFenced: true }), { holdsEnd: true })
      .find(isLate)
      ?.run();
    expect(journalConformance(make).some(isLate)).toBe(false);
  });

  test('has a flaw for each of its cases', () => {
    const rules = journalConformance(memoryJournal).map(({ name }) => name);
    expect(rules.length).toBeGreaterThan(5);
    expect([...new Set(flaws.map(([rule]) => rule))].sort()).toEqual([...rules].sort());
  });

  test('accepts a store that returns fields in another order', async () => {
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
        claim: (key, hold) => reversed(journal.claim(key, hold)),
        list: (target, options) => reversed(journal.list(target, options)),
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
