import type { EntryKey, Journal, JournalEntry } from '../../src/journal/journal.ts';

export const target = 'https://api.example.com/api/v1#0123';
let made = 0;

/** An entry of the target, newer than the one before. */
export function entry(changes: Partial<JournalEntry> = {}): JournalEntry {
  const now = new Date(Date.now() + ++made).toISOString();
  return {
    format: 2,
    operationId: crypto.randomUUID(),
    target,
    kind: 'change',
    path: '/chat/changes',
    body: '{"change":{"name":"VIP ✨"}}',
    state: 'pending',
    createdAt: now,
    updatedAt: now,
    deadline: new Date(Date.now() + 60_000).toISOString(),
    attempts: 0,
    token: crypto.randomUUID(),
    ...changes,
  };
}

/** Claims an entry under a new token. Returns the entry, or `held`; undefined if there is none. */
export function claim(
  journal: Journal,
  key: EntryKey,
  deadline: string = new Date(Date.now() + 3_600_000).toISOString(),
): JournalEntry | 'held' | undefined {
  const claimed = journal.claim(key, { token: crypto.randomUUID(), deadline });
  if (claimed instanceof Promise) throw new Error('This journal answers later.');
  return claimed && (claimed.entry ?? 'held');
}
