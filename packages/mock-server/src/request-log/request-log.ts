import type { OperationName } from '../generated/public-types.ts';
import type { PlainRequest } from '../http/message.ts';
import { toIsoString } from '../world/clock.ts';
import { maskKey } from '../world/key.ts';
import { DroppedCounts } from './dropped-counts.ts';

/** A request in the request log. */
export interface RequestLogEntry {
  readonly id: number;
  readonly requestId: string;
  readonly receivedAt: string;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationName | null;
  readonly action: string | null;
  /** The resource that the request reads or changes. */
  readonly resource: string | null;
  readonly operationId: string | null;
  /** The masked key; null if none was sent. */
  readonly key: string | null;
  readonly keyName: string | null;
  /** Whether a whole answer was sent. */
  readonly answered: boolean;
  /** The status that was sent, or that the lost answer had; null if there was none. */
  readonly status: number | null;
  /** The error code of an error; null for a success. */
  readonly error: string | null;
  /** Whether this request, not an earlier one, changed something. */
  readonly applied: boolean;
  /** The request whose stored answer this request got again. */
  readonly replayOf: string | null;
  readonly recordId: string | null;
  readonly revisionBefore: string | null;
  readonly revisionAfter: string | null;
  /** The effects of the faults that hit it. */
  readonly faults: readonly string[];
}

/** What a request seems to ask for before it is validated. */
type Unvalidated = Readonly<Record<'action' | 'resource' | 'operationId', string | undefined>>;

/** Longer than any path, key or name of the contract; longer texts are made up. */
const maxLength = 200;

/** A copy of a text in memory of its own: a slice keeps the whole text in memory. */
const detach = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/** A text from a client as the log keeps it: whole, unless it is long. */
export function truncate(text: string): string;
export function truncate(text: string | undefined): string | undefined;
export function truncate(text: string | undefined): string | undefined {
  return text === undefined || text.length <= maxLength ? text : `${detach(text.slice(0, maxLength))}…`;
}

/** The log entry of a request in progress; the steps of the pipeline add what they find. */
export class Trace {
  readonly id: number;
  readonly requestId: string;
  readonly receivedAt: number;
  readonly method: string;
  readonly path: string;
  operation: OperationName | undefined;
  action: string | undefined;
  resource: string | undefined;
  operationId: string | undefined;
  key: string | undefined;
  keyName: string | undefined;
  answered = false;
  status: number | undefined;
  error: string | undefined;
  applied = false;
  replayOf: string | undefined;
  recordId: string | undefined;
  revisionBefore: string | undefined;
  revisionAfter: string | undefined;
  faults: string[] | undefined;

  constructor(id: number, requestId: string, receivedAt: number, method: string, path: string) {
    this.id = id;
    this.requestId = requestId;
    this.receivedAt = receivedAt;
    this.method = truncate(method);
    this.path = truncate(path);
  }

  /** Notes what a request seems to ask for, before it is validated. */
  noteUnvalidated({ action, resource, operationId }: Unvalidated): void {
    this.action ??= truncate(action);
    this.resource ??= truncate(resource);
    this.operationId ??= truncate(operationId)?.toLowerCase();
  }

  toEntry(): RequestLogEntry {
    return {
      id: this.id,
      requestId: this.requestId,
      receivedAt: toIsoString(this.receivedAt),
      method: this.method,
      path: this.path,
      operation: this.operation ?? null,
      action: this.action ?? null,
      resource: this.resource ?? null,
      operationId: this.operationId ?? null,
      key: this.key === undefined ? null : maskKey(this.key),
      keyName: this.keyName ?? null,
      answered: this.answered,
      status: this.status ?? null,
      error: this.error ?? null,
      applied: this.applied,
      replayOf: this.replayOf ?? null,
      recordId: this.recordId ?? null,
      revisionBefore: this.revisionBefore ?? null,
      revisionAfter: this.revisionAfter ?? null,
      faults: this.faults ?? [],
    };
  }
}

/** The latest requests of a world, up to a maximum number. */
export class RequestLog {
  readonly #capacity: number;
  readonly #ring: Trace[] = [];
  #received = 0;
  /** Number of received requests that were cleared. */
  #cleared = 0;
  #dropped = new DroppedCounts();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  receive(
    requestId: string,
    now: number,
    { method, query }: Pick<PlainRequest, 'method' | 'query'>,
    path: string,
  ): Trace {
    // The path is a slice of the request target, and would keep a long query in memory.
    const ownPath = query === '' ? path : detach(path);
    const trace = new Trace(++this.#received, requestId, now, method, ownPath);
    if (this.#capacity === 0) {
      this.#dropped.add(undefined);
      return trace;
    }
    const index = (this.#received - 1) % this.#capacity;
    if (this.received > this.#capacity) this.#dropped.add(this.#ring[index]);
    this.#ring[index] = trace;
    return trace;
  }

  /** Number of requests since the last clear, including dropped ones. */
  get received(): number {
    return this.#received - this.#cleared;
  }

  /** The requests that were dropped since the last clear. */
  get dropped(): DroppedCounts {
    return this.#dropped;
  }

  /** The kept requests, oldest first. */
  list(): Trace[] {
    const kept = Math.min(this.received, this.#capacity);
    return Array.from(
      { length: kept },
      (_, i) => this.#ring[(this.#received - kept + i) % this.#capacity] as Trace,
    );
  }

  /** Notes that a request was answered 500 because its result could not be written to the data file. */
  noteUnwritten(requestId: string, error: string): void {
    const trace = this.#ring.find((entry) => entry?.requestId === requestId);
    if (trace === undefined) return;
    trace.status = 500;
    trace.error = error;
  }

  clear(): void {
    this.#cleared = this.#received;
    this.#ring.length = 0;
    this.#dropped = new DroppedCounts();
  }
}
