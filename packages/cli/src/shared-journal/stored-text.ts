import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JournalEntry, operationIdFrom } from '@orgchat/sdk';
import type { AsyncJournal } from './store.ts';

/*
 * Texts of this command in a shared journal: what is a file in the state directory otherwise. Their target is that of no
 * server, so that no list of operations has them. They stay open, because a journal removes settled entries.
 */

const target = 'orgchat cli';

/** Whether an entry is one of this command, and no operation. */
export const isStoredText = (entry: Pick<EntryId, 'target'>): boolean => entry.target === target;

/** Names an entry of this command. */
export interface EntryId {
  readonly operationId: string;
  readonly target: string;
}

/** Derives the id of a text from what it is about. */
export async function createEntryId(...about: readonly (string | null)[]): Promise<EntryId> {
  return { operationId: await operationIdFrom(target, ...about), target };
}

export function createStoredText(id: EntryId, body: string): JournalEntry {
  const now = new Date().toISOString();
  return {
    ...id,
    ...({ format: 2, kind: 'keywords', path: '', state: 'unknown', attempts: 0 } as const),
    ...{ body, createdAt: now, updatedAt: now, deadline: now },
  };
}

/** How long a process that died while it wrote may block others, in milliseconds, and how often they look. */
const [waitAtMostMs, lookAgainMs] = [15_000, 250];

/** Writes a text as a whole. Only one process at a time may write it. */
export async function writeStoredText(journal: AsyncJournal, id: EntryId, body: string): Promise<void> {
  const endsAt = performance.now() + waitAtMostMs;
  const entry = { ...createStoredText(id, body), token: randomUUID() };
  for (;;) {
    if ((await journal.claim(id, entry))?.entry !== undefined && (await journal.settle(entry))) return;
    if ((await journal.add(entry)) && (await journal.settle(entry))) return;
    if (performance.now() > endsAt) throw new Error(`another process is writing entry ${id.operationId}`);
    await sleep(lookAgainMs);
  }
}
