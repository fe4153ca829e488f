/** An applied change. */
export interface ChangeOutcome<R = unknown> {
  /** The operation; the same for every attempt and for a later replay. */
  readonly operationId: string;
  /** A change that the server did not apply rejects with `NOT_APPLIED`. */
  readonly applied: true;
  /** Whether the answer was stored by an earlier request of this operation. */
  readonly replayed: boolean;
  /** Whether the change was recorded in the audit log. */
  readonly auditRecorded: boolean;
  /**
   * The record after the change; `{ id, deleted: true }` after a deletion; the enrollment after an enrollment.
   * Undefined if the answer has none, which the contract allows (4.4.35), or one of another shape; the change is
   * applied either way. `withResponse().body` has it as the server sent it.
   */
  readonly result: R | undefined;
}
