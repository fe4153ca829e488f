import type { JournalFailureReason } from '../../errors/base.ts';
import { createInvalidOptionsError, requireKnown } from '../../errors/refused.ts';
import { countEntries } from '../count-entries.ts';
import { isIntentKnown } from '../entries.ts';
import type { Journal, JournalEntry, JournalListOptions, JournalProblem } from '../journal.ts';
import { createCipher, type EncryptionKey } from './cipher.ts';
import { findEncrypted } from './stored-body.ts';

/**
 * Options of `encryptedJournal`.
 *
 * @example
 * const options: EncryptedJournalOptions = { acceptUnencrypted: true };
 * createClient({ journal: encryptedJournal(memoryJournal(), crypto.getRandomValues(new Uint8Array(32)), options) });
 */
export interface EncryptedJournalOptions {
  /**
   * Also reads entries that are not encrypted, such as those from before encryption was turned on. Each is encrypted
   * when it is next written. Default false, because the origin of such an entry is not known.
   */
  readonly acceptUnencrypted?: boolean | undefined;
}

/** What nothing but this journal needs to read. */
type Secret = Pick<JournalEntry, 'body' | 'fingerprint' | 'error' | 'result'>;

/**
 * Wraps a journal and encrypts what its entries contain: body, result, fingerprint and error, with AES-256-GCM. Ids,
 * target, path, state and times stay readable, because stores need them. What was encrypted belongs to one entry: it
 * cannot be decrypted in another one.
 *
 * With several keys the first one encrypts, and each decrypts. To rotate a key, put the new one before the old one, and
 * keep the old one until its entries are gone. For an entry whose key is not given, `get` and `claim` reject, and `list`
 * returns a problem. It stays as it is. Throws `INVALID_OPTIONS` if a key cannot be used.
 *
 * @example
 * const journal = encryptedJournal(fileJournal(), process.env.JOURNAL_KEY!);
 * const newKey = crypto.getRandomValues(new Uint8Array(32));
 * const rotating = encryptedJournal(fileJournal(), [newKey, process.env.JOURNAL_KEY!]);
 * createClient({ journal: rotating ?? journal });
 */
export function encryptedJournal(
  journal: Journal,
  keys: EncryptionKey | readonly EncryptionKey[],
  options: EncryptedJournalOptions = {},
): Journal {
  if (typeof journal?.add !== 'function') {
    throw createInvalidOptionsError('The first argument of encryptedJournal() must be a journal.');
  }
  requireKnown(options, ['acceptUnencrypted'], 'encryptedJournal()');
  const cipher = createCipher(keys);

  function encryptEntry(entry: JournalEntry): JournalEntry {
    const { body, fingerprint, error, result, ...readable } = entry;
    const secret: Secret = { body, fingerprint, error, result };
    const stored = {
      encrypted: cipher.encrypt(JSON.stringify(secret), toContext(entry)),
      // A file journal never replaces an unreadable entry with a change that was made from a revision.
      ...(body.includes('"expectedRevision"') && { expectedRevision: 'encrypted' }),
    };
    return {
      ...readable,
      body: JSON.stringify(stored),
      // By its meaning a journal knows an attempt that was stale, which it must not lose; by its reason an unknown one
      // that counts as settled.
      ...(error && {
        error: {
          code: 'ENCRYPTED',
          meaning: error.meaning,
          ...(isIntentKnown(entry) && { reason: error.reason }),
        },
      }),
    };
  }

  function decryptEntry(stored: JournalEntry): JournalEntry {
    const encrypted = findEncrypted(stored.body);
    if (encrypted === undefined) {
      if (options.acceptUnencrypted) return stored;
      const hint = 'To read entries from before encryption, pass { acceptUnencrypted: true }';
      throw new EntryUnreadableError('foreign', stored, `is not encrypted. ${hint}`);
    }
    const decrypted = cipher.decrypt(encrypted, toContext(stored));
    if ('text' in decrypted) {
      const { error: _, ...readable } = stored;
      return { ...readable, ...(JSON.parse(decrypted.text) as Secret) };
    }
    if (decrypted.failure === 'changed') {
      throw new EntryUnreadableError('truncated', stored, 'was changed after it was encrypted');
    }
    const hint = 'Pass that key as well: encryptedJournal(journal, [key, olderKey])';
    throw new EntryUnreadableError('key', stored, `was encrypted with a key that was not given. ${hint}`);
  }

  return {
    add: async (entry, given) => journal.add(encryptEntry(entry), given),
    async get(key) {
      const stored = await journal.get(key);
      return stored && decryptEntry(stored);
    },
    async claim(key, hold) {
      const claim = await journal.claim(key, hold);
      if (!claim?.entry) return claim;
      try {
        return { entry: decryptEntry(claim.entry) };
      } catch (error) {
        // The entry stays as it is, for a call with the key. If this fails, the hold ends at its deadline.
        await (async () => journal.settle(claim.entry))().catch(() => undefined);
        throw error;
      }
    },
    settle: async (entry) => journal.settle(encryptEntry(entry)),
    async list(target, given = {}) {
      const { limit = Infinity } = given;
      const entries: JournalEntry[] = [];
      const problems: JournalProblem[] = [];
      for await (const stored of listStored(journal, target, given, problems)) {
        try {
          entries.push(decryptEntry(stored));
        } catch (error) {
          if (!(error instanceof EntryUnreadableError)) throw error;
          problems.push(error.problem);
        }
        if (entries.length >= limit) break;
      }
      return { entries, problems };
    },
    remove: async (key, token) => journal.remove(key, token),
    // State and time of an entry are readable.
    stats: (target) => countEntries(journal, target),
  };
}

/** Lists the entries of a journal, page by page: one that cannot be read must not make a page look like the last. */
async function* listStored(
  journal: Journal,
  target: string,
  options: JournalListOptions,
  problems: JournalProblem[],
): AsyncGenerator<JournalEntry> {
  let { after } = options;
  for (let isFirst = true; ; isFirst = false) {
    const page = await journal.list(target, { ...options, after });
    if (isFirst) problems.push(...page.problems);
    yield* page.entries;
    after = page.entries.at(-1);
    if (!after || page.entries.length < (options.limit ?? Infinity)) return;
  }
}

/** What an encrypted text is bound to: the parts of an entry that never change. */
function toContext({ operationId, target, kind, path }: JournalEntry): string {
  return JSON.stringify([operationId, target, kind, path]);
}

/** An entry cannot be decrypted. It stays as it is. */
class EntryUnreadableError extends Error {
  /** What `JOURNAL_FAILED` gets as its reason. */
  readonly reason: JournalFailureReason = 'journal-entry-unusable';
  readonly problem: JournalProblem;

  constructor(reason: JournalProblem['reason'], { operationId, kind }: JournalEntry, why: string) {
    const message = `Entry ${operationId} of the journal ${why}.`;
    super(message);
    this.problem = {
      location: operationId,
      reason,
      message,
      operationId,
      ...(reason !== 'truncated' && { kind }),
    };
  }
}
