import { momentOf } from '../clock.ts';
import type { Aim } from '../faults/aim.ts';
import { resourceOfChange } from '../faults/targets.ts';
import type { OperationName } from '../generated/public-types.ts';
import { maskKey } from '../mask.ts';
import type { Command } from '../steps/validate.ts';
import { Dropped } from './dropped.ts';
import { short } from './short.ts';

/** What the journal shows of a request. */
export interface JournalEntry {
  readonly id: number;
  readonly requestId: string;
  readonly receivedAt: string;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationName | null;
  readonly action: string | null;
  /** What it reads, or what its change changes. */
  readonly resource: string | null;
  readonly operationId: string | null;
  /** The key, masked; null where none was sent. */
  readonly key: string | null;
  readonly keyName: string | null;
  /** Whether an answer left whole. */
  readonly answered: boolean;
  /** The status that was sent, or that the lost answer had; null where there was none. */
  readonly status: number | null;
  /** The error code, where it was an error. */
  readonly error: string | null;
  /** Whether this very request changed something. */
  readonly applied: boolean;
  /** The request whose stored answer this one got again. */
  readonly replayOf: string | null;
  readonly recordId: string | null;
  readonly revisionBefore: string | null;
  readonly revisionAfter: string | null;
  /** The effects of the faults that hit it. */
  readonly faults: readonly string[];
}

/** A request while it is worked on; the steps write into it what they learn. */
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
    this.method = short(method);
    this.path = short(path);
  }

  /** Notes what the request asks for. */
  note(command: Command): void {
    if (command.operation === 'changeChat') {
      this.operationId = command.input.operationId;
      const { change } = command.input;
      this.action = change.action;
      this.resource = resourceOfChange(change.action, 'resource' in change ? change.resource : undefined);
    } else if (command.operation === 'readChat' || command.operation === 'readStudio') {
      this.resource = command.input.resource;
    }
  }

  /** Notes what a request seems to ask for, where nobody understood it yet. */
  glance({ action, resource, operationId }: Aim): void {
    this.action ??= short(action);
    this.resource ??= short(resource);
    this.operationId ??= short(operationId)?.toLowerCase();
  }

  view(): JournalEntry {
    return {
      id: this.id,
      requestId: this.requestId,
      receivedAt: momentOf(this.receivedAt),
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

/** The last requests of a world, as many as it is allowed to keep. */
export class Journal {
  readonly #capacity: number;
  readonly #ring: Trace[] = [];
  #received = 0;
  /** How many of the received ones were cleared away. */
  #cleared = 0;
  #dropped = new Dropped();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  receive(requestId: string, now: number, method: string, path: string): Trace {
    const trace = new Trace(++this.#received, requestId, now, method, path);
    if (this.#capacity === 0) {
      this.#dropped.add(undefined);
      return trace;
    }
    const place = (this.#received - 1) % this.#capacity;
    if (this.received > this.#capacity) this.#dropped.add(this.#ring[place]);
    this.#ring[place] = trace;
    return trace;
  }

  /** Requests received since the last clearing, those no longer kept included. */
  get received(): number {
    return this.#received - this.#cleared;
  }

  /** What is no longer kept of the requests since the last clearing. */
  get dropped(): Dropped {
    return this.#dropped;
  }

  /** What is kept, oldest first. */
  traces(): Trace[] {
    const kept = Math.min(this.received, this.#capacity);
    return Array.from(
      { length: kept },
      (_, i) => this.#ring[(this.#received - kept + i) % this.#capacity] as Trace,
    );
  }

  /** Notes that a request was answered 500, since what it came to could not be written. */
  noteUnwritten(requestId: string, error: string): void {
    const trace = this.#ring.find((one) => one?.requestId === requestId);
    if (trace === undefined) return;
    trace.status = 500;
    trace.error = error;
  }

  clear(): void {
    this.#cleared = this.#received;
    this.#ring.length = 0;
    this.#dropped = new Dropped();
  }
}
