import type { CodeMeaning } from '../generated/code-meanings.ts';
import type { ChangeOutcome } from '../outcome.ts';

/** Both versions of a record that changed between its read and its write. */
export interface Versions {
  /** The record the change was made from; from a method other than `edit()`, what the change named of it. */
  readonly expected: unknown;
  /** The record as it is now. */
  readonly current: unknown;
  /** The data that was to be written; undefined for a deletion. */
  readonly data: unknown;
}

/** What an error knows. Everything here is safe to log: no key, no headers, no bodies. */
export interface ErrorDetails {
  readonly code: string;
  readonly meaning?: CodeMeaning | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly operationId?: string | undefined;
  readonly attempts?: number | undefined;
  readonly retryAt?: Date | undefined;
  readonly serverMessage?: string | undefined;
  /** Of a `DeadlineError`. */
  readonly waitingFor?: 'pacing' | undefined;
  /** Of an `OutcomeUnknownError`. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
  /** Of a `StaleRevisionError`. */
  readonly versions?: Versions | undefined;
  /** Of an `OutcomeUnknownError`. */
  readonly resume?: (() => Promise<ChangeOutcome>) | undefined;
}

/**
 * The base of every error this package throws, so `error instanceof OrgChatError` catches all of them. It is not
 * thrown for a mistake in your own callbacks: what the function given to `edit()` throws stays as it is, and so does
 * what a journal throws under a method of `operations`; under a write it is the `cause` of `JOURNAL_FAILED`.
 */
export class OrgChatError extends Error {
  // Each class says its name: bundlers rename classes.
  static override readonly name: string = 'OrgChatError';

  override get name(): string {
    return this.constructor.name;
  }

  /** Stable and independent of the language: the server's code, or one of this package's own. */
  declare readonly code: string;
  /**
   * What `code` means, by the option `codes`: decide by this, since a server may spell its codes otherwise. Undefined
   * if the code is not known with this status, or is this package's own.
   */
  declare readonly meaning: CodeMeaning | undefined;
  /** The status of the last answer; undefined where none arrived. */
  declare readonly status: number | undefined;
  /** `X-Request-Id` of the last answer: what support asks for. */
  declare readonly requestId: string | undefined;
  /** The operation of a write. */
  declare readonly operationId: string | undefined;
  /** How many requests were sent. */
  declare readonly attempts: number;
  /** When another try makes sense, where the server or the pacing says so. */
  declare readonly retryAt: Date | undefined;
  /** The server's text, in the language asked for. For people; decide by `code`. */
  declare readonly serverMessage: string | undefined;

  constructor(message: string, details: ErrorDetails) {
    // What is not known is not there, so that nothing printed is cluttered with it.
    const known = Object.entries({ attempts: 0, ...details }).filter(([, value]) => value !== undefined);
    const facts = Object.fromEntries(known);
    super(message, facts);
    Object.assign(this, facts);
  }

  /** The facts, without stack and cause. */
  toJSON(): Record<string, unknown> {
    const { name, message, ...facts } = this;
    return { name, message, ...facts };
  }
}
