import type { Trace } from '../request-log/trace.ts';
import type { EventData, MockEvent, OperationEvent, RecordEvent } from './event-types.ts';

type LoggedName = Exclude<keyof EventData, 'request' | 'gap'>;

/** What a request did to the record that it names. */
type Change = RecordEvent['action'];
type OperationState = OperationEvent['state'];

/**
 * What a reference in the log stands for: an event as it is, or a request. A request is decided, changes a record, or
 * brings its operation into a state. These words cost nothing, and the entry of the request exists anyway.
 */
type Kind = 'event' | 'request' | Change | OperationState;

interface StoredEvent {
  readonly name: LoggedName;
  readonly data: EventData[LoggedName];
}

/** Distinguishes the ids of this process from those of an earlier one. */
let processId: string | undefined;
const createProcessId = (): string =>
  Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
let logs = 0;

/**
 * The latest events of a mock, up to a maximum number. It outlives the worlds that a reset replaces. An event is a
 * reference until someone reads it, so that it costs a request next to nothing.
 */
export class EventLog {
  readonly #capacity: number;
  readonly #kinds: Kind[] = [];
  readonly #references: (Trace | StoredEvent)[] = [];
  #count = 0;
  #prefix: string | undefined;
  #isClosed = false;
  /** Whether `#wake` is about to be called. */
  #isWaking = false;
  readonly #waiting = new Set<() => void>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds a request that was decided. */
  addRequest(trace: Trace): void {
    this.#add('request', trace);
  }

  /** Adds what a request did to the record that its entry names. */
  addChange(trace: Trace, change: Change): void {
    this.#add(change, trace);
  }

  /** Adds the new state of the operation that the entry of a request names. */
  addOperation(trace: Trace, state: OperationState): void {
    this.#add(state, trace);
  }

  add<N extends LoggedName>(name: N, data: EventData[N]): void {
    this.#add('event', { name, data });
  }

  #add(kind: Kind, reference: Trace | StoredEvent): void {
    const index = this.#count % this.#capacity;
    this.#kinds[index] = kind;
    this.#references[index] = reference;
    this.#count++;
    if (this.#waiting.size > 0) this.#wakeSoon();
  }

  /** Readers read after this turn, so that they do not delay the answer to the request. */
  #wakeSoon(): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    queueMicrotask(() => {
      this.#isWaking = false;
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const wake of waiting) wake();
    });
  }

  /** Resolves with the next event, when the log is closed, or when `signal` is aborted. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed || signal.aborted) return resolve();
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** No event follows. */
  close(): void {
    this.#isClosed = true;
    this.#wakeSoon();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Number of events so far. */
  get count(): number {
    return this.#count;
  }

  /** Number of events that are no longer kept. */
  get dropped(): number {
    return Math.max(0, this.#count - this.#capacity);
  }

  /** The id of the event with this number, from 1. No other log of the process has an id with the same beginning. */
  toId(number: number): string {
    processId ??= createProcessId();
    this.#prefix ??= `${processId}.${++logs}`;
    return `${this.#prefix}.${number}`;
  }

  /** The number of the event with an id of this log; undefined for the id of another log, or of an earlier process. */
  toNumber(id: string): number | undefined {
    const number = Number(id.slice(id.lastIndexOf('.') + 1));
    return number <= this.#count && this.toId(number) === id ? number : undefined;
  }

  /** A kept event by its number, from 1. */
  get(number: number): MockEvent {
    const index = (number - 1) % this.#capacity;
    const reference = this.#references[index]!;
    const id = this.toId(number);
    if ('name' in reference) return { id, ...reference } as MockEvent;
    const kind = this.#kinds[index]!;
    switch (kind) {
      case 'created':
      case 'changed':
      case 'deleted':
        return { id, name: 'record', data: toRecordEvent(reference, kind) };
      case 'running':
      case 'applied':
      case 'uncertain':
      case 'refused':
      case 'free':
        return { id, name: 'operation', data: toOperationEvent(reference, kind) };
      default:
        return { id, name: 'request', data: reference.toEntry() };
    }
  }
}

const toRecordEvent = (trace: Trace, action: Change): RecordEvent => ({
  organizationId: trace.organizationId ?? '',
  resource: trace.resource ?? '',
  id: trace.recordId ?? '',
  action,
  revision: trace.revisionAfter ?? null,
  by: 'request',
  requestId: trace.requestId,
  keyName: trace.keyName ?? null,
});

const toOperationEvent = (trace: Trace, state: OperationState): OperationEvent => ({
  organizationId: trace.organizationId ?? '',
  operationId: trace.operationId ?? '',
  state,
});
