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
  const entries = new Map<string, JournalEntry>();
  const held = new Set<string>();

  function keep(name: string, entry: JournalEntry): void {
    entries.delete(name);
    entries.set(name, entry);
  }

  function clean(): void {
    for (const [name, entry] of entries) {
      if (entries.size <= maxEntries) return;
      if (isSettled(entry) && !held.has(name)) entries.delete(name);
    }
  }

  return {
    add(entry) {
      const name = nameOf(entry);
      if (entries.has(name)) return false;
      keep(name, entry);
      held.add(name);
      return true;
    },
    get: (key) => entries.get(nameOf(key)),
    claim(key, deadline) {
      const name = nameOf(key);
      const entry = entries.get(name);
      if (held.has(name)) return 'held';
      if (entry === undefined) return undefined;
      held.add(name);
      return { ...entry, deadline };
    },
    settle(entry) {
      const name = nameOf(entry);
      held.delete(name);
      if (entries.has(name)) keep(name, entry);
      clean();
    },
    list: (target) => ({
      entries: [...entries.values()].filter((entry) => entry.target === target).sort(byAge),
      problems: [],
    }),
    remove(key) {
      const name = nameOf(key);
      held.delete(name);
      return entries.delete(name);
    },
  };
}

/** Oldest first. */
export function byAge(a: JournalEntry, b: JournalEntry): number {
  return a.createdAt < b.createdAt ? -1 : 1;
}
