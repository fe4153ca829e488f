/** Where a write stands. `pending`: begun and not settled. The last three are settled for good. */
export type OperationState = 'pending' | 'unknown' | 'applied' | 'refused' | 'abandoned';

/** What a journal keeps of a write. It has no key; `body` is what is, or was, sent, byte for byte. */
export interface JournalEntry {
  readonly format: 1;
  readonly operationId: string;
  /** Base URL and a digest of the key: an entry is never sent anywhere else. */
  readonly target: string;
  readonly kind: 'change' | 'keywords';
  /** Below the base URL. */
  readonly path: string;
  readonly body: string;
  readonly state: OperationState;
  /** ISO 8601, as `updatedAt` and `deadline`. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When the call that wrote this gave up at the latest. */
  readonly deadline: string;
  /** Requests sent, as far as settled. */
  readonly attempts: number;
  /** Why it was refused, or is unknown or abandoned. */
  readonly error?: JournaledError | undefined;
  /** The answer to a keyword write, which cannot be asked for again. */
  readonly result?: unknown;
}

export interface JournaledError {
  readonly code: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
}

export type EntryKey = Pick<JournalEntry, 'operationId' | 'target'>;

/** Something a journal found and cannot use. It is reported and left alone. */
export interface JournalProblem {
  /** Where: a file name, for a file journal. */
  readonly where: string;
  /**
   * `torn`: cut off or garbled. `foreign`: not an entry. `format`: written by a later version. `permissions`: open
   * to other users. `write`: an outcome could not be recorded; what was applied is asked about again.
   */
  readonly reason: 'torn' | 'foreign' | 'format' | 'permissions' | 'write';
  readonly message: string;
}

export interface JournalListing {
  /** Entries of the target, oldest first. */
  readonly entries: readonly JournalEntry[];
  readonly problems: readonly JournalProblem[];
}

export type MaybePromise<T> = T | Promise<T>;

/**
 * Where writes are recorded before they are sent. What makes a store a journal is checked by the conformance suite
 * in `@orgchat/sdk/journal-conformance`; each method may answer directly or with a promise.
 *
 * An entry is **held** from `add` or `claim` until `settle`, by the process that called. A journal that outlives its
 * process gives up the entries of a dead one at once, and leaves those of a living one alone.
 */
export interface Journal {
  /**
   * Keeps a new entry, held. Once it resolves, the entry survives the process. False where the key is known. Where it
   * rejects, nothing is kept: the caller is told that nothing was sent, and nothing may be sent later.
   */
  add(entry: JournalEntry): MaybePromise<boolean>;
  get(key: EntryKey): MaybePromise<JournalEntry | undefined>;
  /**
   * Takes hold of an entry until `deadline` (ISO 8601), which it then carries. `held` where a living holder has it,
   * undefined where it is not there. Where it rejects, nobody holds it.
   */
  claim(key: EntryKey, deadline: string): MaybePromise<JournalEntry | 'held' | undefined>;
  /**
   * Replaces a held entry and lets go of it. An entry that was removed meanwhile stays removed, and one that somebody
   * else took since, past its deadline, stays theirs. Where it rejects, nobody holds the entry; and one that should have
   * become `refused` or `abandoned` is not left to be sent, except a try of an edit that was refused with
   * `STALE_REVISION`: it stays as it was, lest a later run of the edit takes its id for free.
   */
  settle(entry: JournalEntry): MaybePromise<void>;
  list(target: string): MaybePromise<JournalListing>;
  /** Whether something was removed. Where that cannot be known it rejects. */
  remove(key: EntryKey): MaybePromise<boolean>;
}

export function isSettled({ state }: Pick<JournalEntry, 'state'>): boolean {
  return state !== 'pending' && state !== 'unknown';
}
