import type { ErrorCode, ErrorMeaning } from '../errors/codes.ts';

/**
 * The state of a write. `pending` and `unknown` are open; `applied`, `refused` and `abandoned` are final. An `unknown`
 * one with the reason `intent-known` is final, too: the server knows its id with other input.
 */
export type OperationState = 'pending' | 'unknown' | 'applied' | 'refused' | 'abandoned';

/** A write in a journal. It contains no API key. `body` is what was or will be sent, byte for byte. */
export interface JournalEntry {
  /** This version writes 2, and still reads 1, whose entries have no token, reason or meaning. */
  readonly format: 1 | 2;
  readonly operationId: string;
  /** Base URL and a digest of the key: an entry is never sent anywhere else. */
  readonly target: string;
  readonly kind: 'change' | 'keywords';
  /** Path of the request, relative to the base URL. */
  readonly path: string;
  readonly body: string;
  readonly state: OperationState;
  /** ISO 8601, as `updatedAt` and `deadline`. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When the call that wrote this entry ends at the latest. */
  readonly deadline: string;
  /**
   * Names the last hold on the entry: random, made by the client for each `add` and `claim`. Only the hold of this
   * token may settle the entry. Entries of format 1 have none.
   */
  readonly token?: string | undefined;
  /**
   * Says what the write is: the option `fingerprint` of the call, or a text of `upsert()` and of the methods for tags.
   * Two writes with one id and one fingerprint are the same operation, whatever their `body` is.
   */
  readonly fingerprint?: string | undefined;
  /** Number of requests sent by calls that were settled. */
  readonly attempts: number;
  /** Why the write was refused, abandoned, or has an unknown outcome. */
  readonly error?: JournaledError | undefined;
  /** The answer to a keyword write, which cannot be asked for again. */
  readonly result?: unknown;
  /** When `resumeAll()` sends the write again at the earliest; undefined if at once. `settle` replaces it. */
  readonly nextAttempt?: NextAttempt | undefined;
}

/** When `resumeAll()` asks about an operation again at the earliest. */
export interface NextAttempt {
  /**
   * ISO 8601, by the clock of this machine. A store with its own clock stores the remaining time as a duration, as it does
   * with the deadline of a hold, and returns the time that this makes by the clock of the machine that reads it.
   */
  readonly at: string;
  /** How often the operation was sent again without a final outcome. */
  readonly repeats: number;
}

/** Why a write has its outcome, as its journal entry keeps it. */
export interface JournaledError {
  /** The `code` of the error: the server's code, or one of this package's own. */
  readonly code: ErrorCode;
  /** What the server's code means; undefined if it is not known. */
  readonly meaning?: ErrorMeaning | undefined;
  /**
   * If `code` is `OUTCOME_UNKNOWN`: the code of the last answer or failure, such as `CONNECTION_LOST` or `HTTP_503`, or
   * `intent-known`, which counts as settled. A store has to keep it.
   */
  readonly reason?: string | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
}

/** Identifies an entry in a journal. */
export type EntryKey = Pick<JournalEntry, 'operationId' | 'target'>;

/** A file or record that a journal found and cannot use. It is reported and left as it is. */
export interface JournalProblem {
  /** Where the problem is: for a file journal, a file name. */
  readonly location: string;
  /**
   * `truncated`: incomplete or corrupted. `foreign`: not an entry. `format`: written by a later version.
   * `permissions`: open to other users. `key`: encrypted with a key that was not given. `write`: an outcome could not be
   * recorded; what was applied is asked about again.
   */
  readonly reason: 'truncated' | 'foreign' | 'format' | 'permissions' | 'key' | 'write';
  readonly message: string;
  /** The operation whose entry cannot be used, if that is known. `resumeAll()` reports it. */
  readonly operationId?: string | undefined;
  /** What the operation is, if that is known: then its entry is encrypted, and nothing else is wrong with it. */
  readonly kind?: JournalEntry['kind'] | undefined;
}

/** The result of `Journal.list`. */
export interface JournalListing {
  /** Entries of the target, oldest first. */
  readonly entries: readonly JournalEntry[];
  readonly problems: readonly JournalProblem[];
}

/** The entries of a target in numbers, by their state. */
export interface JournalStats extends Readonly<Record<OperationState, number>> {
  /** Entries for which `isOpen()` is true. */
  readonly open: number;
  /** `createdAt` of the oldest open entry; undefined if none is open. */
  readonly oldestOpenAt: string | undefined;
}

/** A value, or a promise of it: a journal may answer either way. */
export type MaybePromise<T> = T | Promise<T>;

/** A hold on an entry, requested by a client. */
export interface Hold {
  /** Random, at most 64 ASCII characters. A call that is repeated after a lost reply uses the same token. */
  readonly token: string;
  /**
   * ISO 8601, by the clock of this machine: when the call with this hold ends at the latest. A store with its own clock
   * stores the remaining time as a duration.
   */
  readonly deadline: string;
}

/** The result of a claim: the entry, which the caller holds now, or the fact that another holder has it. */
export type Claim = { readonly entry: JournalEntry } | HeldElsewhere;

/** The result of a claim of an entry that another call holds. */
export interface HeldElsewhere {
  readonly entry?: undefined;
  /**
   * ISO 8601, by the clock of this machine: when the entry is free at the latest, even if it cannot be known whether
   * its holder is alive. Undefined if it becomes free only when its holder ends.
   */
  readonly heldUntil: string | undefined;
}

/**
 * Options of `Journal.add`.
 *
 * @example
 * const options: AddOptions = { isNew: true };
 * console.log(await journal.add(entry, options)); // true
 */
export interface AddOptions {
  /** The id was made for this entry, so the journal need not look for an earlier one. Default false. */
  readonly isNew?: boolean | undefined;
}

/**
 * Options of `Journal.list`.
 *
 * @example
 * const everyPage: JournalListOptions = { open: true, limit: 500 };
 * await journal.list(entry.target, everyPage);
 */
export interface JournalListOptions {
  /**
   * Only entries for which `isOpen()` is true: `pending`, or `unknown` without the reason `intent-known`. A journal does
   * not read settled entries for this.
   */
  readonly open?: boolean | undefined;
  /** Only entries in this state. A journal may ignore it: the client looks at the states of what it gets. */
  readonly state?: OperationState | undefined;
  /**
   * Only entries that come after this one, which is the last of the page before. It need not exist any more.
   */
  readonly after?: Pick<JournalEntry, 'createdAt' | 'operationId'> | undefined;
  /**
   * At most this many entries: a page. A page with fewer is the last one. A journal needs memory for a page, however many
   * entries it has.
   */
  readonly limit?: number | undefined;
}

/**
 * A store in which writes are recorded before they are sent. Its requirements are checked by the conformance suite in
 * `@orgchat/sdk/journal-conformance`. Each method may return a value or a promise.
 *
 * An entry is **held** from `add` or `claim` until `settle` or `remove`, under a token that the client makes. A journal
 * that outlives its process releases the entries of a dead process as soon as it knows that the process is dead, and at
 * the latest five seconds after the deadline of the hold. It does not release those of a living process. A holder whose
 * entry was claimed by another one can no longer settle or remove it: the store compares tokens.
 *
 * Each method may be repeated with the same arguments after a lost reply. `add`, `claim` and `settle` then answer as
 * the first time; `remove` may say that there is nothing to remove.
 */
export interface Journal {
  /**
   * Stores a new entry, held under its `token`. Once it resolves, the entry survives the process. False if the key is
   * known, unless it was added under this very token. If it rejects, nothing is stored: the caller gets an error
   * that nothing was sent, and nothing may be sent later. An error may have a `reason` for programs, one of
   * `JournalFailureReason`.
   *
   * @example
   * if (!(await journal.add(entry))) console.log('The journal knows this operation already.');
   */
  add(entry: JournalEntry, options?: AddOptions): MaybePromise<boolean>;
  /**
   * Returns an entry; undefined if there is none with this key.
   *
   * @example
   * const stored = await journal.get({ operationId: entry.operationId, target: entry.target });
   * console.log(stored?.state);
   */
  get(key: EntryKey): MaybePromise<JournalEntry | undefined>;
  /**
   * Takes hold of an entry, which then carries the token and the deadline of the hold. A claim with the token that
   * holds the entry already sets a new deadline. Undefined if there is no such entry. If it rejects, nobody holds the
   * entry.
   *
   * @example
   * await journal.add(entry);
   * await journal.settle({ ...entry, state: 'unknown' });
   * const claim = await journal.claim(entry, { token: 'd00d', deadline: entry.deadline });
   * if (claim?.entry) console.log('This process has', claim.entry.operationId);
   */
  claim(key: EntryKey, hold: Hold): MaybePromise<Claim | undefined>;
  /**
   * Replaces an entry that is held under `entry.token`, and releases the hold. The new state need not be final: it may be
   * `unknown`, or the entry may be unchanged. Resolves to false if the entry carries another token or was removed: it then
   * stays as it is. If it rejects:
   *
   * - Nobody holds the entry.
   * - An entry that should become `refused` or `abandoned` can no longer be sent.
   * - The exception is an attempt of an edit that was refused as stale. It is left unchanged, or a later run would reuse
   *   its id.
   *
   * @example
   * await journal.add(entry);
   * await journal.settle({ ...entry, state: 'applied', updatedAt: new Date().toISOString() });
   */
  settle(entry: JournalEntry): MaybePromise<boolean>;
  /**
   * Entries of a target, ordered by `createdAt`, then by `operationId`, and what cannot be used.
   *
   * @example
   * const { entries, problems } = await journal.list(entry.target, { open: true, limit: 100 });
   * console.log(entries.length, problems.length);
   */
  list(target: string, options?: JournalListOptions): MaybePromise<JournalListing>;
  /**
   * Whether something was removed. With a token, only an entry that carries this token is removed; without one, any,
   * held or not. If that cannot be known, it rejects.
   *
   * @example
   * console.log(await journal.remove(entry)); // false: there is nothing to remove
   */
  remove(key: EntryKey, token?: string): MaybePromise<boolean>;
  /**
   * Counts the entries of a target, without returning them. Entries that cannot be used are not counted. Optional: a
   * journal without it is counted page by page.
   *
   * @example
   * const stats: Journal['stats'] = async () => ({
   *   ...{ pending: 1, unknown: 0, applied: 20, refused: 0, abandoned: 0 },
   *   ...{ open: 1, oldestOpenAt: '2026-11-25T03:00:00.000Z' },
   * });
   * createClient({ journal: { ...memoryJournal(), stats } });
   */
  stats?(target: string): MaybePromise<JournalStats>;
}
