import type { ErrorCode, ErrorMeaning } from '../errors/codes.ts';
import type { OperationName } from '../generated/endpoints.ts';
import type { JournalProblem } from '../journal/journal.ts';
import type { Answer, CallOutcome } from '../retry/classify.ts';

export type { OperationName };

/** The fields that every event of a call has. */
export interface CallFacts {
  /** The same for all events of one call, and unique in this process. */
  readonly callId: number;
  /** The endpoint, by the name of its operation in the specification. The faults of the mock server use it too. */
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  /** Path of the request, relative to the base URL. */
  readonly path: string;
  /** The action of a change or the resource of a read. */
  readonly subject?: string | undefined;
  readonly operationId: string | undefined;
}

/** A call starts. One call sends one request per attempt: zero or more. */
export interface RequestEvent extends CallFacts {
  readonly type: 'request';
}

/** An attempt ended. */
export interface AttemptEvent extends CallFacts {
  readonly type: 'attempt';
  /** From 1. */
  readonly attempt: number;
  /**
   * How the attempt ended.
   *
   * - `ok`: an answer as the contract promises it. `not-applied`: one that says that the change was not applied.
   * - A status other than 2xx, such as `403`, also with a meaning, such as `409 uncertain`; `3xx`, `4xx` or `5xx` for any
   *   other.
   * - `unreadable`: 2xx that is incomplete or not as promised. `too-large`: more than `maxResponseBytes`.
   * - `lost`: no answer, and the request may have arrived. `interrupted`: the same, by the deadline or `signal`.
   * - `unsent`: the request provably never left. `unsent-permanently`: the same, and it would fail again.
   * - `stopped`: the call ended before a request. No attempt event has it.
   */
  readonly answer: Answer;
  /** The server's code, or one of this package's own; undefined for a success and for an answer without a code. */
  readonly code?: ErrorCode | undefined;
  /** What the server's code means; undefined if it is not known. */
  readonly meaning?: ErrorMeaning | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly durationMs: number;
}

/** A call waits for the rate limit, or before another attempt. */
export interface WaitEvent extends CallFacts {
  readonly type: 'wait';
  readonly reason: 'pacing' | 'retry';
  /** Length of the wait, in milliseconds. */
  readonly ms: number;
}

/** A call ended. */
export interface OutcomeEvent extends CallFacts {
  readonly type: 'outcome';
  /** For a read, `applied` means that it was answered, `refused` that it failed. */
  readonly outcome: CallOutcome;
  readonly attempts: number;
  readonly durationMs: number;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** The code of the error thrown. */
  readonly errorCode: ErrorCode | undefined;
  /** What the server's code means, as on the error. */
  readonly meaning?: ErrorMeaning | undefined;
  /** If `errorCode` is `OUTCOME_UNKNOWN`: the code of the last answer or failure. */
  readonly errorReason: string | undefined;
}

/** The journal found something that it cannot use, or could not record an outcome. */
export interface JournalEvent {
  readonly type: 'journal';
  readonly problem: JournalProblem;
}

/**
 * Something happened in a store of `@orgchat/fleet`, which all clients of this process share. It belongs to no call.
 *
 * - `taken-over`: this process took work whose last holder had neither finished nor released it.
 * - `hold-lost`: another process took, or somebody removed, what this process was about to settle.
 * - `lock-lost`, `lock-regained`: other processes take this one for dead, or no longer do.
 * - `store-down`, `store-up`: calls of the store fail because of its engine, or succeed again.
 * - `cleaned`: settled operations that were old enough were removed; at most hourly.
 */
export interface FleetEvent {
  readonly type: 'fleet';
  readonly event:
    | 'taken-over'
    | 'hold-lost'
    | 'lock-lost'
    | 'lock-regained'
    | 'store-down'
    | 'store-up'
    | 'cleaned';
  /** The function that created the store, such as `postgresJournal`; the engine, `postgres` or `redis`, for its lock. */
  readonly store: string;
  /** Of `taken-over` and `hold-lost`. */
  readonly operationId?: string | undefined;
}

/** No event has the key, headers or bodies. */
export type ClientEvent = RequestEvent | AttemptEvent | WaitEvent | OutcomeEvent | JournalEvent | FleetEvent;

type EventPayload<E> = E extends CallFacts ? Omit<E, keyof CallFacts> : never;
/** Emits an event of a call, with the fields of the call added. */
export type EmitCallEvent = (payload: EventPayload<ClientEvent>) => void;
