import type { Sleep } from './doors/fetch.ts';
import type { CodesOption, SeedDocument } from './generated/public-types.ts';

/** What a mock is made with; everything has a default. */
export interface MockOptions {
  /** The data it starts with. Default: the demo. */
  readonly seed?: SeedDocument;
  /** A saved state to start with instead of a seed. */
  readonly state?: unknown;
  /**
   * The error codes that answers have, by what they mean; left out, those of this toolkit. Of several codes for one
   * meaning the first is sent. For tests of a client that is told the codes of another server.
   */
  readonly codes?: CodesOption;
  /** What identifiers and everything else by chance follow from. Default: 1. */
  readonly randomSeed?: number;
  /** Requests a minute of a key. Default: 60. */
  readonly rateLimit?: number | 'off';
  /** Requests a month of the organization. Default: as the plan says. */
  readonly monthlyLimit?: number | 'off';
  /** The machine's time in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
  /** Waits for delayed answers. Default: real time. */
  readonly sleep?: Sleep;
  /** Entries the journal keeps. Default: 10,000. */
  readonly journalSize?: number;
  /** A file (SQLite) in which everything is kept. Default: memory alone. */
  readonly data?: string;
  /** What the control API wants as a bearer token where it can be reached beyond this machine. Default: made. */
  readonly controlToken?: string;
  /** Told of errors in the mock itself. Default: `console.error`. */
  readonly onError?: (error: unknown) => void;
}

/** The same with a seed that may be the path of a YAML or JSON file; it is read before the mock is there. */
export interface FileMockOptions extends Omit<MockOptions, 'seed'> {
  readonly seed?: SeedDocument | string;
}

/** Options that a mock cannot be made or served with; the message says what is wrong and what is allowed. */
export class MockOptionsError extends Error {
  override readonly name = 'MockOptionsError';
  readonly code = 'INVALID_OPTIONS';
}
