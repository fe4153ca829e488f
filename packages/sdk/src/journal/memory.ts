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
  const known = new Map<string, JournalEntry>();
  const held = new Set<string>();
  return {
    add(entry) {
      const name = nameOf(entry);
      if (known.has(name)) return false;
      known.set(name, entry);
      held.add(name);
      return true;
    },
    get: (key) => known.get(nameOf(key)),
    claim(key, deadline) {
      const name = nameOf(key);
      const entry = known.get(name);
      if (!entry) return undefined;
      if (held.has(name)) return 'held';
      held.add(name);
      return { ...entry, deadline };
    },
    settle(entry) {
      const settled = nameOf(entry);
      held.delete(settled);
      if (!known.delete(settled)) return;
      known.set(settled, entry);
      for (const [name, entry] of known) {
        if (known.size <= maxEntries) return;
        if (isSettled(entry)) known.delete(name);
      }
    },
    list: (target) => ({
      entries: [...known.values()]
        .filter((entry) => entry.target === target)
        .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)),
      problems: [],
    }),
    remove: (key) => known.delete(nameOf(key)),
  };
}
