import type { Trace } from '../journal/journal.ts';
import type { Caller } from '../steps/authenticate.ts';
import type { Entry } from '../store/entry.ts';
import type { World } from '../world.ts';

/** Where a change is planned: everything it may look at, and the moment it happens. */
export interface Scene {
  readonly world: World;
  readonly caller: Caller;
  readonly trace: Trace;
  readonly operationId: string;
  readonly now: number;
}

/** What a change wrote, for the answer, the journal and the audit. */
export interface Written {
  readonly recordId: string;
  /** The JSON of `result`. */
  readonly result: string;
  readonly revisionAfter?: string;
}

/**
 * A change that passed all of its checks. Nothing is written until `write` is called, in the same turn, so that
 * nothing can come between the checks and the write.
 */
export interface Plan {
  readonly resource: string;
  /** The record as it was. */
  readonly before?: Entry;
  readonly write: () => Written;
}
