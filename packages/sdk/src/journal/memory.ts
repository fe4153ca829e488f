import { type EntryKey, isSettled, type Journal, type JournalEntry, keepSettledMs } from './journal.ts';

const nameOf = (key: EntryKey): string => `${key.operationId} ${key.target}`;

export interface MemoryJournalOptions {
  /** How many settled entries are kept at most; the oldest go first. Default 1,000. */
  readonly maxSettled?: number;
}

/**
 * A journal that lives and dies with the process: the default. Within the process an unknown outcome can be
 * finished; to survive a crash use `fileJournal()` of `@orgchat/sdk/node`, or a store of your own.
 */
export function memoryJournal({ maxSettled = 1000 }: MemoryJournalOptions = {}): Journal {
  const open = new Map<string, JournalEntry>();
  const settled = new Map<string, JournalEntry>();
  const held = new Set<string>();

  function clean(): void {
    const horizon = Date.now() - keepSettledMs;
    for (const [name, entry] of settled) {
      if (settled.size <= maxSettled && Date.parse(entry.updatedAt) > horizon) return;
      settled.delete(name);
    }
  }

  return {
    add(entry) {
      const name = nameOf(entry);
      if (open.has(name) || settled.has(name)) return false;
      open.set(name, entry);
      held.add(name);
      return true;
    },
    get(key) {
      const name = nameOf(key);
      return open.get(name) ?? settled.get(name);
    },
    claim(key, deadline) {
      const name = nameOf(key);
      if (held.has(name)) return 'held';
      const known = open.get(name) ?? settled.get(name);
      if (known === undefined) return undefined;
      const entry = { ...known, deadline };
      held.add(name);
      settled.delete(name);
      open.set(name, entry);
      return entry;
    },
    settle(entry) {
      const name = nameOf(entry);
      held.delete(name);
      if (!open.has(name)) return;
      if (!isSettled(entry)) {
        open.set(name, entry);
        return;
      }
      open.delete(name);
      settled.set(name, entry);
      clean();
    },
    list(target) {
      const entries = [...settled.values(), ...open.values()].filter((entry) => entry.target === target);
      return { entries: entries.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)), problems: [] };
    },
    remove(key) {
      const name = nameOf(key);
      const known = open.delete(name);
      return settled.delete(name) || known;
    },
  };
}
