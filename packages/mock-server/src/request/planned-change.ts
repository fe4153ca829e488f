import type { Entry } from '../records/entry.ts';

/** What a change wrote, for the answer, the request log and the audit log. */
export interface WrittenChange {
  readonly recordId: string;
  /** The label of the record, or the name of the friend that a new record belongs to. */
  readonly recordName: string;
  /** The JSON of `result`. */
  readonly result: string;
  readonly revisionAfter?: string;
  /** Whether the change had nothing to do: the friend is enrolled already. */
  readonly isUnchanged?: true;
}

/**
 * A change that passed all of its checks. Nothing is written until `write` is called, in the same turn, so that
 * nothing can come between the checks and the write.
 */
export interface PlannedChange {
  readonly resource: string;
  /** The record as it was. */
  readonly before?: Entry;
  readonly write: () => WrittenChange;
}
