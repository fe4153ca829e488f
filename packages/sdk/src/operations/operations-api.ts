import type { JournalEntry, JournalProblem, JournalStats, OperationState } from '../journal/journal.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import type { ChatChange } from '../types.ts';
import type { Reconciliation } from './reconcile.ts';

/** A write in the journal. */
export interface OperationEntry extends JournalEntry {
  /** The change; undefined for a keyword write, whose `path` and `body` describe it. */
  readonly change: ChatChange | undefined;
}

/** An error of a resumed operation: an `OrgChatError`, or the error of the journal. */
export type ResumeError = Error & {
  readonly code?: string;
  readonly status?: number | undefined;
  readonly retryAt?: Date | undefined;
  readonly reason?: string | undefined;
};

interface ResumedOperation {
  readonly operationId: string;
  /** Undefined if the entry of the operation cannot be read. */
  readonly kind: 'change' | 'keywords' | undefined;
}

/** A change that is applied. It has the answer, unless another call settled it in the meantime. */
export interface AppliedOperation extends ResumedOperation, Partial<ChangeOutcome> {
  readonly operationId: string;
  readonly state: 'applied';
  readonly error?: undefined;
  readonly retryAt?: undefined;
}

/** An operation that is not applied, as far as is known. */
export interface UnappliedOperation extends ResumedOperation {
  /**
   * `pending` if another call holds the operation: it was left alone. A keyword write that is not settled is `unknown`,
   * even while it is in progress.
   */
  readonly state: Exclude<OperationState, 'applied'>;
  /**
   * Why it is not applied: an `OrgChatError`, or the error of the journal. Undefined if it was not sent now: another call
   * settled it, or its next attempt is later.
   */
  readonly error?: ResumeError | undefined;
  /**
   * If `pending`: when its entry is free at the latest, while the `retryAt` of `error` says when to ask again. Undefined
   * if the entry becomes free only when the process that holds it ends. Otherwise when `resumeAll()` sends it again at the
   * earliest, or the `retryAt` of `error` if that is later.
   */
  readonly retryAt?: Date | undefined;
  readonly applied?: undefined;
  readonly replayed?: undefined;
  readonly auditRecorded?: undefined;
  readonly result?: undefined;
}

/** The result of one operation of `resumeAll()`, by `state`. */
export type ResumeOutcome = AppliedOperation | UnappliedOperation;

/**
 * Options of `operations.list`.
 *
 * @example
 * const unknown: ListOperationsOptions = { state: 'unknown' };
 * console.log(await client.operations.list(unknown));
 */
export interface ListOperationsOptions {
  /** Only operations in this state. Default: any state. */
  readonly state?: OperationState | undefined;
  /**
   * Only operations that `resumeAll()` would send again: `pending` and `unknown` ones, without those whose id the server
   * knows with other input. Default false.
   */
  readonly open?: boolean | undefined;
  /** At most this many operations: a page. Default 1,000. A page with fewer is the last one. */
  readonly limit?: number | undefined;
  /**
   * Only operations after this one: the last of the page before, which need not be in the journal any more. Default: from
   * the oldest.
   */
  readonly after?: Pick<OperationEntry, 'createdAt' | 'operationId'> | undefined;
}

/**
 * Options of `operations.resumeAll`.
 *
 * @example
 * const options: ResumeAllOptions = { wait: true, signal: AbortSignal.timeout(90_000) };
 * await client.operations.resumeAll(options);
 */
export interface ResumeAllOptions extends CallOptions {
  /** Also sends operations whose next attempt is later. Default false. */
  readonly now?: boolean | undefined;
  /**
   * Waits for the operations that another process holds, or held when it died. Default false. Each ends as it would end
   * later: settled by that process, or asked about here as soon as it is free. `signal` ends the wait.
   */
  readonly wait?: boolean | undefined;
  /**
   * Called once for each operation that is waited for, when its wait begins. Its `retryAt` says when the wait ends at the
   * latest. Errors that it throws are ignored.
   */
  readonly onWait?: ((operation: UnappliedOperation) => void) | undefined;
}

/**
 * Options of `operations.drain`.
 *
 * @example
 * const options: DrainOptions = { timeoutMs: 20_000, signal: AbortSignal.timeout(25_000) };
 * await client.operations.drain(options);
 */
export interface DrainOptions {
  /** How long to wait for the writes in progress, in milliseconds. Default: until each of them has ended. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait. It does not end the writes. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of `operations.stats`. */
export interface OperationStats extends JournalStats {
  /** Age of the oldest open write, in milliseconds, by the clock of this machine; undefined if none is open. */
  readonly oldestOpenMs: number | undefined;
}

/** The result of `operations.drain`. */
export interface DrainResult {
  /** Writes in the journal that are `pending` or `unknown`: what the next process has to resume. At most 1,000. */
  readonly open: readonly OperationEntry[];
}

/**
 * Options of `operations.adopt`.
 *
 * @example
 * const options: AdoptOptions = { previousKey: 'demo-read-key', timeoutMs: 30_000 };
 * await client.operations.adopt(options);
 */
export interface AdoptOptions extends CallOptions {
  /** The key that the key of this client replaces. It is used for one request, and stored nowhere. */
  readonly previousKey: string;
}

/** The result of `operations.adopt`. Its lists have at most 1,000 operations each; the counts count all. */
export interface AdoptResult {
  /** Operations that belong to the key of this client now. A `pending` one of a dead process became `unknown`. */
  readonly adopted: readonly OperationEntry[];
  /** Operations that another call holds: they were left alone. Call `adopt()` again later. */
  readonly inProgress: readonly OperationEntry[];
  /** How many operations were adopted, open and settled ones, and how many another call holds. */
  readonly counts: { readonly open: number; readonly settled: number; readonly inProgress: number };
}

/** The operations in the journal, and the means to finish them. */
export interface OperationsApi {
  /**
   * Lists the writes in the journal for the base URL and key of this client, oldest first, at most `limit`: 1,000 by
   * default. `after` begins behind the last one of the page before. With `open`, only those that `resumeAll()` would send
   * again: however many settled ones there are, they are not read for it. Other filters read page by page.
   *
   * @example
   * let after: OperationEntry | undefined;
   * do {
   *   const page = await client.operations.list({ state: 'refused', limit: 100, after });
   *   for (const { operationId, error } of page) console.log(operationId, error?.code);
   *   after = page[99]; // undefined on the last page
   * } while (after);
   */
  list(options?: ListOperationsOptions): Promise<OperationEntry[]>;
  /**
   * Counts the writes in the journal for the base URL and key of this client, by state, and says how old the oldest open
   * one is. For a dashboard or an alert: a shared journal counts in its engine, and nothing is read page by page.
   *
   * @example
   * const { open, refused, oldestOpenMs = 0 } = await client.operations.stats();
   * if (oldestOpenMs > 600_000) console.error(`${open} open, the oldest for ${oldestOpenMs / 60_000} minutes`);
   * console.log(refused);
   */
  stats(): Promise<OperationStats>;
  /**
   * Returns one write of the journal; undefined if the id is not in it. Nothing is sent.
   *
   * @param operationId The id of the write.
   * @example
   * const { operationId } = await client.tags.create({ name: 'Gold', color: 'orange' });
   * console.log((await client.operations.get(operationId))?.state); // applied
   */
  get(operationId: string): Promise<OperationEntry | undefined>;
  /**
   * Lists what the journal found among open entries and cannot use: truncated, foreign or later ones, and those that are
   * encrypted with another key. They block nothing. Settled entries are not read for this: `list()` reports their problems
   * as `journal` events. At most 1,000.
   *
   * @example
   * for (const { location, message } of await client.operations.problems()) console.error(location, message);
   */
  problems(): Promise<readonly JournalProblem[]>;
  /**
   * Sends a change again under its id, byte for byte. Resolves or throws as the change itself would.
   *
   * @param operationId The id of the change, such as that of an `OutcomeUnknownError`.
   * @example
   * const { operationId } = await client.tags.create({ name: 'Gold', color: 'orange' });
   * console.log((await client.operations.resume(operationId)).replayed); // true: it was applied before
   */
  resume(operationId: string, options?: CallOptions): Promise<ChangeOutcome>;
  /**
   * Sends every open change again that is due, once, with the same bytes and id, unless a living process holds it. The server returns
   * the stored answer or applies the change now. Keyword writes are reported and never sent again. Call it when a program
   * starts. It rejects only before anything is sent: if an option is wrong, or if the journal cannot be read.
   *
   * One that was sent again without a final outcome is due after 1 s, and then after twice as long each time: up to five
   * minutes in its first hour, and up to six hours later. All processes that share the journal keep to that. Until then it
   * is reported in its state, with `retryAt`. `now` sends it at once, and so do `resume(id)` and `error.resume()`.
   *
   * An operation is left alone while it cannot be known whether the process that holds it is alive, for example after
   * the restart of a container; its `retryAt` says when it is free at the latest. With `wait`, this waits for those
   * operations as well, until five seconds after the deadlines of their calls.
   *
   * @example
   * for (const { operationId, state, error } of await client.operations.resumeAll()) {
   *   console.log(operationId, state, error);
   * }
   */
  resumeAll(options?: ResumeAllOptions): Promise<ResumeOutcome[]>;
  /**
   * Prepares for the end of the process. Writes that are called from now on reject with `CLIENT_DRAINING`, also those of
   * clients that `with()` made, and nothing of them is sent. Then this waits for the writes in progress, or until
   * `timeoutMs` or `signal` ends the wait, and resolves to what is open. Reads are not affected. It cannot be undone.
   *
   * @example
   * process.once('SIGTERM', async () => {
   *   const { open } = await client.operations.drain({ timeoutMs: 20_000 });
   *   process.exit(open.length > 0 ? 1 : 0);
   * });
   */
  drain(options?: DrainOptions): Promise<DrainResult>;
  /**
   * Removes an operation from the journal; false if it is not there. It does not undo the change.
   *
   * @param operationId The id of the write.
   * @example
   * for (const { operationId } of await client.operations.list({ state: 'refused' })) await client.operations.forget(operationId);
   */
  forget(operationId: string): Promise<boolean>;
  /**
   * Reads what a change was about, and decides whether it is `applied`, `not-applied` at that time, or `inconclusive`,
   * with the evidence and the records. Writes nothing. Accepts an error, an entry or an id.
   *
   * @param operation An error, an entry of the journal, or an id.
   * @example
   * const { operationId } = await client.tags.create({ name: 'VIP', color: 'pink' });
   * const { verdict, evidence, records } = await client.operations.reconcile(operationId);
   * console.log(verdict, evidence, records);
   */
  reconcile(
    operation: string | { readonly operationId?: string | undefined },
    options?: CallOptions,
  ): Promise<Reconciliation>;
  /**
   * Takes over the operations of an earlier key of the same organization: their journal entries belong to the key of this
   * client from then on. Asks both keys for their account first, so call it while both are valid. Rejects, and takes over
   * nothing, if they belong to different organizations. It may be called again, also after it rejected halfway: what it took over
   * before is in `list()`.
   *
   * @example
   * const { adopted, inProgress } = await client.operations.adopt({ previousKey: 'demo-read-key' });
   * console.log(adopted.length, inProgress.length); // then resumeAll()
   */
  adopt(options: AdoptOptions): Promise<AdoptResult>;
}
