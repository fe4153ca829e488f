import type { OperationName } from '../generated/endpoints.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import { isInstance, showClassNames } from './class-names.ts';
import type { ErrorCode, ErrorMeaning } from './codes.ts';

/** Both versions of a record that changed between its read and its write. */
export interface Versions {
  /** The record the change was made from; from a method other than `edit()`, what the change named of it. */
  readonly expected: unknown;
  /** The record as it is now. */
  readonly current: unknown;
  /** The data that was to be written; undefined for a deletion. */
  readonly data: unknown;
}

/**
 * Why a request had no answer, if the runtime says why.
 *
 * - `dns`: the host name could not be resolved.
 * - `refused`: nothing accepts connections at this address and port.
 * - `unreachable`: there is no route to the host.
 * - `timeout`: the connection was not made, or no data arrived, in time.
 * - `tls`: the certificate of the server is not trusted, or the handshake failed.
 * - `proxy`: a proxy refused the connection.
 * - `closed`: the connection was closed before the answer was complete.
 */
export type ConnectionFailureReason =
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'proxy'
  | 'closed';

/**
 * Why a write could not be recorded in the journal (`JOURNAL_FAILED`).
 *
 * - `journal-busy`: another process is changing the entry of this operation.
 * - `journal-entry-unusable`: the journal has an entry of this operation and cannot read it.
 * - `journal-unavailable`: the journal could not be read or written.
 */
export type JournalFailureReason = 'journal-busy' | 'journal-entry-unusable' | 'journal-unavailable';

/**
 * The outcome of the write that an error is about, as in the journal and the `outcome` event.
 *
 * - `applied`: this call or an earlier one with its intent applied it, and something after that failed.
 * - `refused`: it was not applied.
 * - `abandoned`: this call sent nothing, or no request can have arrived.
 * - `unknown`: it may be applied: the error is an `OutcomeUnknownError`, or the cause of one.
 */
export type ErrorOutcome = 'applied' | 'refused' | 'abandoned' | 'unknown';

/**
 * The fields of an error. What is printed or logged has no key, headers, bodies or records: `headers`, `bodyStart` and
 * `versions` are not enumerable, and `toJSON()` leaves them out.
 */
export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly operation?: OperationName | undefined;
  readonly meaning?: ErrorMeaning | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly operationId?: string | undefined;
  readonly outcome?: ErrorOutcome | undefined;
  readonly attempts?: number | undefined;
  readonly retryAt?: Date | undefined;
  readonly serverMessage?: string | undefined;
  readonly headers?: Headers | undefined;
  readonly bodyStart?: string | undefined;
  /** Of a `DeadlineError`. */
  readonly waitingFor?: 'pacing' | undefined;
  readonly reason?: string | undefined;
  readonly systemCode?: string | undefined;
  readonly cause?: unknown;
  /** Of a `StaleRevisionError`. */
  readonly versions?: Versions | undefined;
  /** Of an `OutcomeUnknownError`. */
  readonly resume?: (() => Promise<ChangeOutcome>) | undefined;
}

/**
 * The base of every error this package throws, so `error instanceof OrgChatError` catches all of them. It is not
 * thrown for a mistake in your own callbacks: what the function given to `edit()` throws stays as it is, and so does
 * what a journal throws under a method of `operations`; under a write it is the `cause` of `JOURNAL_FAILED`. All
 * classes recognize the errors of another copy of this package.
 *
 * @example
 * try {
 *   await client.tags.get('nothing');
 * } catch (error) {
 *   if (!(error instanceof OrgChatError)) throw error;
 *   console.log(error.code, error.meaning, error.requestId);
 * }
 */
export class OrgChatError extends Error {
  // Each class states its name, because bundlers rename classes.
  static override readonly name: string = 'OrgChatError';

  /** Recognizes the errors of another copy of this package, too, by the names of their classes. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: each class inherits this method and asks for itself
    return isInstance(this, OrgChatError, value);
  }

  override get name(): string {
    return this.constructor.name;
  }

  /** Stable and independent of the language: the server's code, or one of this package's own. */
  declare readonly code: ErrorCode;
  /**
   * What `code` means, by the option `server`: decide by this, since a server may spell its codes otherwise. Undefined
   * if the code is not known with this status, or is this package's own.
   */
  declare readonly meaning: ErrorMeaning | undefined;
  /**
   * The endpoint that was called, by the name of its operation in the specification; undefined if none was.
   */
  declare readonly operation: OperationName | undefined;
  /**
   * Why `code` happened, if that is known: a `ConnectionFailureReason` of a `ConnectionError`, a `JournalFailureReason`
   * for `JOURNAL_FAILED`, the code of the last answer or failure for `OUTCOME_UNKNOWN`.
   */
  declare readonly reason: string | undefined;
  /** The error code of the operating system or runtime, such as `ECONNREFUSED`, if one caused this. */
  declare readonly systemCode: string | undefined;
  /** The status of the last answer; undefined if none arrived. */
  declare readonly status: number | undefined;
  /** `X-Request-Id` of the last answer: what support asks for. */
  declare readonly requestId: string | undefined;
  /** The operation of a write. */
  declare readonly operationId: string | undefined;
  /**
   * The outcome of the write, as in the journal and the `outcome` event. Undefined if no write began: for a read, also
   * for one that a method such as `edit()` makes before it writes, and for an argument that is refused before that.
   */
  declare readonly outcome: ErrorOutcome | undefined;
  /** How many requests were sent. */
  declare readonly attempts: number;
  /** When to try again, if the server or the rate limit says so. */
  declare readonly retryAt: Date | undefined;
  /**
   * The text of the server, in the configured language. For people; programs decide by `meaning` or `code`.
   */
  declare readonly serverMessage: string | undefined;
  /** The headers of the last answer, without `set-cookie`. Not enumerable, so it is not printed or logged. */
  declare readonly headers: Headers | undefined;
  /**
   * How the body of the last answer begins, at most 200 characters without the API key. Set if the answer has a status
   * of 400 or more, or is a redirect, and is not an error document of this API, such as the page of a gateway. Not
   * enumerable, so it is not printed or logged.
   */
  declare readonly bodyStart: string | undefined;

  constructor(message: string, { headers, bodyStart, versions, ...details }: ErrorDetails) {
    // Fields without a value are left out, so that they are not printed.
    const known = Object.entries({ attempts: 0, ...details }).filter(([, value]) => value !== undefined);
    const facts = Object.fromEntries(known);
    super(message, facts);
    Object.assign(this, facts);
    // What may contain data of records or secrets is not in what is made to be logged.
    for (const [name, value] of Object.entries({ headers, bodyStart, versions }))
      if (value !== undefined) Object.defineProperty(this, name, { value });
  }

  /**
   * Returns the fields, without stack, cause, `headers`, `bodyStart` and `versions`.
   *
   * @example
   * const error = await failure(client.tags.get('nothing'));
   * console.log(JSON.stringify(error)); // uses toJSON: no key, no headers, no bodies, no records
   */
  toJSON(): Record<string, unknown> {
    const { name, message, ...facts } = this;
    return { name, message, ...facts };
  }
}

showClassNames(OrgChatError);
