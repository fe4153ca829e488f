import { changed, describeFlaws, type Flaw, listed } from '../../../test-support/journals/flawed-journal.ts';
import type { EntryKey, JournalEntry } from '../journal.ts';
import { entryCases } from './entry-cases.ts';

/** Puts every entry under one target. */
const anywhere = <K extends EntryKey>(key: K): K => ({ ...key, target: 'anywhere' });

const flaws: readonly Flaw[] = [
  [
    'keeps an entry as it was given, byte for byte',
    'an addition that does not say that it succeeded',
    (journal) => ({ add: (entry) => !journal.add(entry) }),
    /^add: expected true, got false$/,
  ],
  [
    'keeps an entry as it was given, byte for byte',
    'an addition that answers before the entry is in place',
    (journal) => ({
      add: async (entry) => {
        setImmediate(() => journal.add(entry));
        return true;
      },
    }),
    /^get: expected .*, got undefined$/,
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

describeFlaws(entryCases, flaws);
