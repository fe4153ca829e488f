import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isObject } from '@orgchat/spec/is-object';
import type { HeldLock, Holder } from '../locks/holder.ts';
import type { AsyncJournal } from './store.ts';
import { createStoredText, type EntryId } from './stored-text.ts';

/*
 * A lock between machines is an entry of the shared journal: the journal knows when the process that holds an entry is
 * dead, by the clock of the engine and not by ours.
 */

const getIsoTimeAfter = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Takes a lock for `ms` milliseconds. If a living process on any machine holds it, returns that process. */
export async function takeJournalLock(
  journal: AsyncJournal,
  id: EntryId,
  ms: number,
): Promise<HeldLock | Holder> {
  const token = randomUUID();
  const owner = JSON.stringify({ host: hostname(), pid: process.pid, since: getIsoTimeAfter(0) });
  for (;;) {
    if (await journal.add({ ...createStoredText(id, owner), deadline: getIsoTimeAfter(ms), token }))
      return createHeldLock(journal, id, token);
    const claim = await journal.claim(id, { token, deadline: getIsoTimeAfter(ms) });
    if (claim !== undefined && claim.entry === undefined) {
      const holder = parseHolder((await journal.get(id))?.body);
      if (holder !== undefined) return holder;
    }
    // It was left by a dead process. Its entry names that process, so it is replaced and not kept.
    if (claim?.entry !== undefined) await journal.remove(id, token);
  }
}

/** The process in an entry; undefined if the entry was removed in the meantime. */
function parseHolder(body: string | undefined): Holder | undefined {
  if (body === undefined) return undefined;
  const owner: unknown = JSON.parse(body);
  const { host = '', pid = 0, since } = isObject(owner) ? (owner as Partial<Holder>) : {};
  return { host, pid, ...(since !== undefined && { since }) };
}

function createHeldLock(journal: AsyncJournal, id: EntryId, token: string): HeldLock {
  return {
    async renew(ms) {
      const claim = await journal.claim(id, { token, deadline: getIsoTimeAfter(ms) });
      return claim?.entry !== undefined;
    },
    async release() {
      try {
        await journal.remove(id, token);
      } catch {
        // What stays is free as soon as this process has ended.
      }
    },
  };
}
