import type { PlainRequest, PlainResponse } from '../http/message.ts';
import type { StoredAnswer } from '../operations/lifecycle.ts';
import { toIsoString } from '../primitives/clock.ts';
import { detach } from '../primitives/platform.ts';
import type { Decision } from '../why/cause.ts';
import { describeRefusal, type SandboxRefusal } from './describe-refusal.ts';
import { DroppedCounts } from './dropped-counts.ts';
import { KeptHeaders } from './headers.ts';
import { KeptBodies } from './kept-bodies.ts';
import { Trace } from './trace.ts';
import { TraceRing } from './trace-ring.ts';

/** How much a request log keeps, and how it numbers requests. */
export interface RequestLogOptions {
  /** Maximum number of entries. */
  readonly capacity: number;
  /** Maximum number of bytes of all bodies together. */
  readonly bodyBytes: number;
  /** Gives every request its own number. The logs of a mock and its sandboxes share it, so that no number repeats. */
  readonly nextId: () => number;
}

/** What the entry of a control call has instead of a request of the API. */
const controlRequest = { method: 'POST', query: '', body: '' } as const;

/** A change that no request of the API makes, as the request log names it. */
export interface OutsideChange {
  readonly action: 'inject' | 'edit';
  readonly resource: string;
  /** The path of the call of the control API. */
  readonly path: string;
}

/** What a full request log dropped to make room. */
export interface DroppedRequests {
  /** Number of dropped entries, the oldest first. */
  readonly entries: number;
  /** Number of dropped bodies of requests and responses, including those of dropped entries. */
  readonly bodies: number;
}

/** What a list of sandboxes says about the requests of each. */
export interface RequestSummary {
  readonly requests: number;
  readonly refused: number;
  readonly lastRequestAt: string | null;
  /** The last one that was refused, if the log still has it. */
  readonly lastRefusal: SandboxRefusal | null;
}

/** The latest requests of a world, up to a maximum number. */
export class RequestLog {
  readonly #nextId: () => number;
  readonly #ring: TraceRing;
  readonly #bodies: KeptBodies;
  readonly #headers = new KeptHeaders();
  #dropped = new DroppedCounts();
  /** Number of requests since the last clear, without entries of control calls. */
  #requests = 0;
  /** How many of them were answered with an error. */
  #refused = 0;
  /** The newest refused request, while the log has it. */
  #lastRefused: Trace | undefined;
  /** When the last request came, which may be dropped. */
  #lastReceivedAt: number | undefined;
  /** The ids of the newest entry, and of the newest one that was cleared. */
  #lastId = 0;
  #lastCleared = 0;

  constructor({ capacity, bodyBytes, nextId }: RequestLogOptions) {
    this.#nextId = nextId;
    this.#ring = new TraceRing(capacity);
    this.#bodies = new KeptBodies(this.#ring, bodyBytes);
  }

  receive(requestId: string, now: number, request: PlainRequest, path: string): Trace {
    // The path is a slice of the request target, and would keep a long query in memory.
    const ownPath = request.query === '' ? path : detach(path);
    const headers = this.#headers.keep(request.headers);
    const trace = new Trace(this.#nextId(), requestId, now, request, headers, ownPath);
    this.#add(trace);
    this.#requests++;
    this.#lastReceivedAt = now;
    this.#bodies.keepRequest(trace, request.body);
    return trace;
  }

  /** Adds an entry for a rewind to the state before a request. */
  noteRewind(requestId: string, now: number, rewoundTo: string): Trace {
    const trace = this.#noteControlCall(requestId, now, { path: '/rewind', action: 'rewind', status: 200 });
    trace.rare.rewoundTo = rewoundTo;
    return trace;
  }

  /** Adds an entry for a change that the control API made. */
  noteOutsideChange(
    requestId: string,
    now: number,
    {
      action,
      resource,
      path,
      recordId,
      recordName,
    }: OutsideChange & { readonly recordId: string; readonly recordName: string | undefined },
  ): Trace {
    const status = action === 'inject' ? 201 : 200;
    const trace = this.#noteControlCall(requestId, now, { path, action, status });
    trace.resource = resource;
    trace.change.recordId = recordId;
    trace.change.recordName = recordName;
    trace.change.isKept = true;
    trace.applied = true;
    return trace;
  }

  #noteControlCall(
    requestId: string,
    now: number,
    { path, action, status }: { readonly path: string; readonly action: string; readonly status: number },
  ): Trace {
    const trace = new Trace(this.#nextId(), requestId, now, controlRequest, [], path);
    trace.change.action = action;
    trace.rare.isControlCall = true;
    trace.status = status;
    trace.answered = true;
    this.#add(trace);
    return trace;
  }

  /** Adds an entry; a full log drops the oldest. */
  #add(trace: Trace): void {
    if (this.#ring.capacity === 0) this.#dropped.add(trace.isRequest ? undefined : 'control call');
    else {
      const oldest = this.#ring.next;
      if (oldest !== undefined) {
        this.#dropped.add(oldest.isRequest ? oldest : 'control call');
        this.#bodies.dropOldestEntry();
        if (oldest === this.#lastRefused) this.#lastRefused = undefined;
      }
    }
    this.#ring.push(trace);
    this.#lastId = trace.id;
  }

  /** Keeps the text of a request's body instead of its bytes, which the mock then needs no more. */
  keepText(trace: Trace, text: string): void {
    this.#bodies.keepText(trace, text);
  }

  /**
   * Keeps the response of a request, also if a fault then loses it. `answer` is what its body was made from, if that is
   * stored anyway.
   */
  keepResponse(trace: Trace, body: string, answer?: StoredAnswer): void {
    this.#bodies.keepResponse(trace, body, answer);
    if (trace.status !== undefined && trace.status >= 400) this.#countRefusal(trace);
  }

  /** Counts a refused request once, although its answer may be made again. */
  #countRefusal(trace: Trace): void {
    if (trace.rare.isCountedAsRefused || trace.id <= this.#lastCleared) return;
    trace.rare.isCountedAsRefused = true;
    this.#refused++;
    if (trace.id > (this.#lastRefused?.id ?? 0) && this.#ring.has(trace)) this.#lastRefused = trace;
  }

  /** Number of requests since the last clear, including dropped ones. */
  get received(): number {
    return this.#ring.received;
  }

  /** The requests that were dropped since the last clear, by kind. */
  get droppedCounts(): DroppedCounts {
    return this.#dropped;
  }

  /** What was dropped since the last clear. */
  get dropped(): DroppedRequests {
    return { entries: this.#dropped.entries, bodies: this.#bodies.dropped };
  }

  /** The kept requests, oldest first. */
  list(): Trace[] {
    return this.#ring.list();
  }

  /** How many requests came and were refused since the last clear, and when the last one came. Looks at no entry. */
  summarize(): RequestSummary {
    const last = this.#lastReceivedAt;
    const refused = this.#lastRefused;
    return {
      requests: this.#requests,
      refused: this.#refused,
      lastRequestAt: last === undefined ? null : toIsoString(last),
      lastRefusal: refused === undefined ? null : describeRefusal(refused),
    };
  }

  /** Finds a kept request by its number or its requestId. */
  find(id: number | string): Trace | undefined {
    return this.#ring.list().find((trace) => (typeof id === 'number' ? trace.id : trace.requestId) === id);
  }

  /** Notes that a request was answered 500 because its result could not be written to the data file. Returns its entry. */
  noteUnwritten(
    requestId: string,
    error: string,
    { body }: PlainResponse,
    decision: Decision,
  ): Trace | undefined {
    const trace = this.find(requestId);
    if (trace === undefined) return undefined;
    trace.status = 500;
    trace.rare.error = error;
    trace.rare.decision = decision;
    this.keepResponse(trace, body);
    return trace;
  }

  clear(): void {
    this.#dropped = new DroppedCounts();
    this.#requests = 0;
    this.#refused = 0;
    this.#lastRefused = undefined;
    this.#lastReceivedAt = undefined;
    this.#lastCleared = this.#lastId;
    this.#bodies.clear();
    this.#ring.clear();
  }
}
