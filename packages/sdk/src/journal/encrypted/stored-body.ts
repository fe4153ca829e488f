import { OrgChatError } from '../../errors/base.ts';
import { createOperationError } from '../../errors/create-errors.ts';
import { isObject } from '../../values.ts';
import { toOutcome } from '../entries.ts';
import type { JournalEntry } from '../journal.ts';

/** Returns what is encrypted in a stored body; undefined if the body is not encrypted. */
export function findEncrypted(body: string): string | undefined {
  const stored: unknown = JSON.parse(body);
  if (!isObject(stored) || typeof stored.encrypted !== 'string') return undefined;
  return /^v\d+\./.test(stored.encrypted) ? stored.encrypted : undefined;
}

/** Throws `JOURNAL_FAILED` if an entry is encrypted: the journal of this client does not decrypt it. */
export function requireDecrypted(entry: JournalEntry): void {
  if (findEncrypted(entry.body) === undefined) return;
  const why = 'is encrypted in the journal. Wrap the journal with encryptedJournal() and its key';
  throw createOperationError(OrgChatError, 'JOURNAL_FAILED', entry, why, toOutcome(entry));
}
