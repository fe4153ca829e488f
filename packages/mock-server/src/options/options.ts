import type { SeedDocument, ServerDescription } from '../generated/public-types.ts';
import type { OnDelete } from '../records/on-delete.ts';
import type { StartTimer } from '../sandboxes/sandbox-lifetime.ts';

/**
 * Waits for delayed answers; tests replace it so that they need not wait. `signal` is aborted when the server closes and
 * the rest of the delay is skipped.
 */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Options of `createMock`; all have defaults. */
export interface MockOptions {
  /** The data to start with. Default: the demo organization. */
  readonly seed?: SeedDocument;
  /** A saved state to start with instead of a seed. */
  readonly state?: unknown;
  /**
   * The description of the server that the mock stands for, as `createClient` and the command accept it. The mock answers
   * with its codes (of several for one meaning, the first), shapes, limits and behavior. Default: as decided.
   */
  readonly server?: ServerDescription;
  /** The seed of the random generator: the same seed gives the same identifiers. Default: 1. */
  readonly randomSeed?: number;
  /** Requests per minute per key. Default: 60. */
  readonly rateLimit?: number | 'off';
  /** Requests per month per organization. Default: the plan's number. */
  readonly monthlyLimit?: number | 'off';
  /**
   * Number of recent changes that `rewind` and `sandbox({ from })` can go back before, up to 1,000. Default: 0, no
   * history.
   */
  readonly history?: number;
  /**
   * What a deletion does to records that refer to the deleted one: `keep` leaves their references, `remove` removes them,
   * and with `refuse` it is answered 400 while there are any. Replaces what the seed says; a sandbox with a seed of its own
   * does what that seed says, if it says something. Default: `keep`.
   */
  readonly onDelete?: OnDelete;
  /**
   * Whether a body without `Content-Type: application/json` is answered 400. Default: false, it is read as JSON, and the
   * request log says so.
   */
  readonly requireJson?: boolean;
  /** The machine's time in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
  /** Waits for delayed answers. Default: real time. */
  readonly sleep?: Sleep;
  /** Milliseconds that only grow, for the lifetimes of sandboxes and the durations in the HTTP archive. Default: `performance.now`. */
  readonly monotonicNow?: () => number;
  /** Starts the timer of a sandbox with a lifetime. Default: real time, without keeping the process alive. */
  readonly startTimer?: StartTimer;
  /** Number of requests the request log keeps. Default: 10,000. */
  readonly requestLogSize?: number;
  /**
   * Bytes of request and response bodies that the request log keeps, at most 64 KiB of each body. 0 keeps none. Default:
   * 32 MiB.
   */
  readonly logBytes?: number;
  /** A SQLite file that stores the whole state. Default: memory only. */
  readonly data?: string;
  /**
   * Starts although the data file is damaged: with what can be read of it. The damaged files are kept beside it, and
   * `onError` is called with what is lost. Default: false, such a file is refused and not modified.
   */
  readonly dataAcceptLoss?: boolean;
  /**
   * The bearer token of the control API, required from every caller over HTTP, this machine included. Default: none on
   * loopback, generated beyond it.
   */
  readonly controlToken?: string;
  /** Called with errors in the mock itself. Default: `console.error`. */
  readonly onError?: (error: unknown) => void;
}

/** The same options with a seed that may be the path of a YAML or JSON file, which is read first. */
export interface FileMockOptions extends Omit<MockOptions, 'seed'> {
  readonly seed?: SeedDocument | string;
}

/** Thrown for an invalid option; the message says what is wrong and what is allowed. */
export class MockOptionsError extends Error {
  override readonly name = 'MockOptionsError';
  readonly code = 'INVALID_OPTIONS';
}
