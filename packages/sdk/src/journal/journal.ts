import { type CodeMeaning, codeMeanings } from '../generated/code-meanings.ts';

/** Where a write stands. `pending`: begun and not settled. The last three are settled for good. */
export type OperationState = 'pending' | 'unknown' | 'applied' | 'refused' | 'abandoned';

/** What a journal keeps of a write. It has no key; `body` is what is, or was, sent, byte for byte. */
export interface JournalEntry {
  /** This version writes 2, and still reads 1, whose entries have no token, reason or meaning. */
  readonly format: 1 | 2;
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
  /**
   * Names the last hold on the entry: random, made by the client for each `add` and `claim`. Only the hold of this
   * token may settle the entry. Entries of format 1 have none.
   */
  readonly token?: string | undefined;
  /** What the caller says it was asked to do, as a text of its own. Two writes with the same text are the same request. */
  readonly fingerprint?: string | undefined;
  /** Requests sent, as far as settled. */
  readonly attempts: number;
  /** Why it was refused, or is unknown or abandoned. */
  readonly error?: JournaledError | undefined;
  /** The answer to a keyword write, which cannot be asked for again. */
  readonly result?: unknown;
}

export interface JournaledError {
  /** The `code` of the error: the server's code, or one of this package's own. */
  readonly code: string;
  /** What the server's code means; undefined if it is not known. */
  readonly meaning?: CodeMeaning | undefined;
  /** If `code` is `OUTCOME_UNKNOWN`: the code of the last answer or failure, such as `CONNECTION_LOST` or `HTTP_503`. */
  readonly reason?: string | undefined;
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

/** A hold that a client asks for. */
export interface Hold {
  /** Random, at most 64 ASCII characters. A call that is repeated after a lost reply repeats its token. */
  readonly token: string;
  /**
   * ISO 8601, by the clock of this machine: when the call of this hold gives up. A store with a clock of its own keeps
   * the time that is left until then, as a duration.
   */
  readonly deadline: string;
}

/** The entry, which the caller now holds; or that another holder has it. */
export type Claim = { readonly entry: JournalEntry } | HeldElsewhere;

export interface HeldElsewhere {
  readonly entry?: undefined;
  /**
   * ISO 8601, by the clock of this machine: when the entry is free at the latest, even if nobody can tell whether its
   * holder lives. Undefined if only the end of the holder tells.
   */
  readonly heldUntil: string | undefined;
}

export interface AddOptions {
  /** Says that the id was made for this entry, so that a journal need not look for an earlier one. */
  readonly isNew?: boolean | undefined;
}

export interface ListOptions {
  /** Only entries that are `pending` or `unknown`. A journal does not read settled entries for this. */
  readonly open?: boolean | undefined;
  /** Only entries that come after this one, which is the last of the page before. It need not exist any more. */
  readonly after?: Pick<JournalEntry, 'createdAt' | 'operationId'> | undefined;
  /** At most this many entries: a page. A page with fewer is the last one. */
  readonly limit?: number | undefined;
}

/** How long after its deadline a call may still record its outcome, in milliseconds. */
const graceMs = 5_000;

/**
 * Where writes are recorded before they are sent. What makes a store a journal is checked by the conformance suite
 * in `@orgchat/sdk/journal-conformance`; each method may answer directly or with a promise.
 *
 * An entry is **held** from `add` or `claim` until `settle` or `remove`, under a token that the client makes. A journal
 * that outlives its process gives up the entries of a dead one as soon as it knows that it is dead, and at the latest
 * five seconds after the deadline of the hold. It leaves those of a living one alone. A holder whose entry was claimed
 * by somebody else can no longer settle or remove it: the store compares tokens.
 *
 * Each method may be repeated with the same arguments after a lost reply. `add`, `claim` and `settle` then answer as
 * the first time; `remove` may say that there is nothing to remove.
 */
export interface Journal {
  /**
   * Stores a new entry, held under its `token`. Once it resolves, the entry survives the process. False if the key is
   * known, unless it was added under this very token. If it rejects, nothing is stored: the caller is told that nothing
   * was sent, and nothing may be sent later.
   */
  add(entry: JournalEntry, options?: AddOptions): MaybePromise<boolean>;
  get(key: EntryKey): MaybePromise<JournalEntry | undefined>;
  /**
   * Takes hold of an entry, which then carries the token and the deadline of the hold. A claim with the token that
   * holds the entry already sets a new deadline. Undefined if there is no such entry. If it rejects, nobody holds the
   * entry.
   */
  claim(key: EntryKey, hold: Hold): MaybePromise<Claim | undefined>;
  /**
   * Replaces an entry that is held under `entry.token`, and lets go of it. False if the entry carries another token or
   * was removed: it then stays as it is. If it rejects, nobody holds the entry; and one that should have become
   * `refused` or `abandoned` is not left to be sent, except a try of an edit that was refused as stale: it stays as it
   * was, so that a later run of the edit does not take its id for free.
   */
  settle(entry: JournalEntry): MaybePromise<boolean>;
  /** Entries of a target, ordered by `createdAt`, then by `operationId`, and what cannot be used. */
  list(target: string, options?: ListOptions): MaybePromise<JournalListing>;
  /**
   * Whether something was removed. With a token, only an entry that carries this token is removed; without one, any,
   * held or not. If that cannot be known, it rejects.
   */
  remove(key: EntryKey, token?: string): MaybePromise<boolean>;
}

export function isSettled({ state }: Pick<JournalEntry, 'state'>): boolean {
  return state !== 'pending' && state !== 'unknown';
}

/** Whether an edit's try was refused because the record had changed: its id is spent. */
export function wasStale({ format, error }: Pick<JournalEntry, 'format' | 'error'>): boolean {
  // Format 1 has no meanings: what wrote it knew the default codes alone.
  if (format === 1) return error?.code === codeMeanings.staleRevision.code;
  return error?.meaning === 'staleRevision';
}

/** The order of a list. */
export function compareEntries(
  a: Pick<JournalEntry, 'createdAt' | 'operationId'>,
  b: Pick<JournalEntry, 'createdAt' | 'operationId'>,
): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  if (a.operationId === b.operationId) return 0;
  return a.operationId < b.operationId ? -1 : 1;
}

/** The entries that a list was asked for, in its order. */
export function pageOf(
  entries: readonly JournalEntry[],
  { open = false, after, limit = Infinity }: ListOptions = {},
): JournalEntry[] {
  return entries
    .filter((entry) => !(open && isSettled(entry)) && !(after && compareEntries(entry, after) <= 0))
    .sort(compareEntries)
    .slice(0, limit);
}

/** When a hold with this deadline is over at the latest, in milliseconds since the epoch. */
export function endOfHold(deadline: string): number {
  return Date.parse(deadline) + graceMs;
}
