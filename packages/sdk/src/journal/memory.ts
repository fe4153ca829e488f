import { type EntryKey, isSettled, type Journal, type JournalEntry } from './journal.ts';

const nameOf = (key: EntryKey): string => `${key.operationId} ${key.target}`;

export interface MemoryJournalOptions {
  /** How many entries are kept; above it the settled ones go, the oldest first. Default 1,000. */
  readonly maxEntries?: number;
}

/**
 * A journal that lives and dies with the process: the default. Within the process an unknown outcome can be
 * finished; to survive a crash use `fileJournal()` of `@orgchat/sdk/node`, or a store of your own.
 */
export function memoryJournal({ maxEntries = 1000 }: MemoryJournalOptions = {}): Journal {
  /** Settled entries move to the end. */
  const known = new Map<string, { readonly entry: JournalEntry; held: boolean }>();
  return {
    add(entry) {
      const name = nameOf(entry);
      if (known.has(name)) return false;
      known.set(name, { entry, held: true });
      return true;
    },
    get: (key) => known.get(nameOf(key))?.entry,
    claim(key, deadline) {
      const one = known.get(nameOf(key));
      if (!one) return undefined;
      if (one.held) return 'held';
      one.held = true;
      return { ...one.entry, deadline };
    },
    settle(entry) {
      const settled = nameOf(entry);
      if (!known.delete(settled)) return;
      known.set(settled, { entry, held: false });
      for (const [name, { entry, held }] of known) {
        if (known.size <= maxEntries) return;
        if (!held && isSettled(entry)) known.delete(name);
      }
    },
    list: (target) => ({
      entries: Array.from(known.values(), ({ entry }) => entry)
        .filter((entry) => entry.target === target)
        .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)),
      problems: [],
    }),
    remove: (key) => known.delete(nameOf(key)),
  };
}
