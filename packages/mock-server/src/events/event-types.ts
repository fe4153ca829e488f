import type { ClockReading } from '../primitives/clock.ts';
import type { RequestLogEntry } from '../request-log/trace.ts';

/** A record that was created, changed or deleted. */
export interface RecordEvent {
  readonly organizationId: string;
  /** A resource of the API, or `keywords`, `keys`, `sites` or `organizations`, which only the mock shows. */
  readonly resource: string;
  /** A friend is `accountId/userId`, a keyword `siteId/keyword`, and a key its name. */
  readonly id: string;
  readonly action: 'created' | 'changed' | 'deleted';
  /** The revision after the change; null if it was deleted or has none. */
  readonly revision: string | null;
  /** A request of the API, the fault `rival-edit`, or a call of the control API. */
  readonly by: 'request' | 'rival-edit' | 'control';
  /** The request that made the change, or that the fault hit; null for a call of the control API. */
  readonly requestId: string | null;
  /** The name of the key of a request that made the change. */
  readonly keyName: string | null;
}

/** A change operation in a new state; `free` if its operationId may be used again. */
export interface OperationEvent {
  readonly organizationId: string;
  readonly operationId: string;
  readonly state: 'running' | 'applied' | 'uncertain' | 'refused' | 'free';
}

/** A fault that was armed, hit a request, or was disarmed. */
export interface FaultEvent {
  readonly action: 'armed' | 'hit' | 'disarmed';
  /** Null if all faults were disarmed. */
  readonly id: string | null;
  readonly effect: string | null;
  /** The request that was hit. */
  readonly requestId: string | null;
}

/**
 * A sandbox that was created or dropped; or the whole state of this mock after a reset, a rewind, or after it was
 * replaced. Read everything again after these three.
 */
export interface SandboxEvent {
  readonly action: 'created' | 'dropped' | 'reset' | 'replaced' | 'rewound';
  /** Null for the root mock. */
  readonly id: string | null;
  readonly name: string | null;
}

/** Events that a reader did not get, because it was too slow or away for too long. */
export interface GapEvent {
  /** Their number; null if the last event that it got is of another mock, or of one that was restarted. */
  readonly lost: number | null;
}

/** What is in an event, by the name of the event. */
export interface EventData {
  readonly request: RequestLogEntry;
  readonly record: RecordEvent;
  readonly operation: OperationEvent;
  readonly fault: FaultEvent;
  readonly clock: ClockReading;
  readonly sandbox: SandboxEvent;
  readonly gap: GapEvent;
}

/** Something that happened in a mock, or a gap. The `id` never repeats, even after a reset. */
export type MockEvent = {
  [Name in keyof EventData]: { readonly id: string; readonly name: Name; readonly data: EventData[Name] };
}[keyof EventData];

/** A stream of events: iterate over it once. It ends when it is closed, or when its sandbox is dropped. */
export interface EventStream extends AsyncIterable<MockEvent> {
  close(): void;
}
