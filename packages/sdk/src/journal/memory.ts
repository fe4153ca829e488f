import { compareEntries, getHoldEnd, isListed, isSettled } from './entries.ts';
import type { EntryKey, Journal, JournalEntry } from './journal.ts';

const toName = (key: EntryKey): string => `${key.operationId} ${key.target}`;

/**
 * Options of `memoryJournal`.
 *
 * @example
 * const small: MemoryJournalOptions = { maxEntries: 100 };
 * createClient({ journal: memoryJournal(small) });
 */
export interface MemoryJournalOptions {
  /**
   * Maximum number of entries; above it the oldest settled ones are removed. Default 1,000. Entries with an unknown
   * outcome are never removed, because nothing else could finish them: call `operations.resumeAll()` after an outage.
   */
  readonly maxEntries?: number;
}

/**
 * Creates a journal in memory, the default. It ends with the process: within the process unknown outcomes can be
 * resumed. To survive a crash, use `fileJournal()` of `@orgchat/sdk/node` or a store of your own.
 *
 * @example
 * const journal = memoryJournal();
 * const [english, japanese] = [createClient({ journal }), createClient({ journal, language: 'ja' })];
 * await english.tags.create({ name: 'VIP', color: 'pink' });
 * console.log((await japanese.operations.list()).length); // 1
 */
export function memoryJournal({ maxEntries = 1000 }: MemoryJournalOptions = {}): Journal {
  /** Settled entries move to the end. */
  const known = new Map<string, JournalEntry>();
  const held = new Set<string>();

  function forgetOldest(): void {
    for (const [name, entry] of known) {
      if (known.size <= maxEntries) return;
      if (isSettled(entry) && !held.has(name)) known.delete(name);
    }
  }

  return {
    add(entry) {
      const name = toName(entry);
      const before = known.get(name);
      if (before) return held.has(name) && before.token !== undefined && before.token === entry.token;
      known.set(name, entry);
      held.add(name);
      return true;
    },
    get: (key) => known.get(toName(key)),
    claim(key, { token, deadline }) {
      const name = toName(key);
      const before = known.get(name);
      if (!before) return undefined;
      if (held.has(name) && before.token !== token) {
        const until = getHoldEnd(before.deadline);
        return { heldUntil: until > Date.now() ? new Date(until).toISOString() : undefined };
      }
      const entry = { ...before, token, deadline };
      known.set(name, entry);
      held.add(name);
      return { entry };
    },
    settle(entry) {
      const name = toName(entry);
      const before = known.get(name);
      if (!before || before.token !== entry.token) return false;
      held.delete(name);
      known.delete(name);
      known.set(name, entry);
      forgetOldest();
      return true;
    },
    list: (target, options = {}) => ({
      entries: [...known.values()]
        .filter((entry) => entry.target === target && isListed(entry, options))
        .sort(compareEntries)
        .slice(0, options.limit),
      problems: [],
    }),
    remove(key, token) {
      const name = toName(key);
      if (token !== undefined && known.get(name)?.token !== token) return false;
      held.delete(name);
      return known.delete(name);
    },
  };
}
