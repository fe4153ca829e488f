import type { PlainRequest, PlainResponse } from '../http/message.ts';
import { DroppedCounts } from './dropped-counts.ts';
import { KeptHeaders } from './headers.ts';
import { KeptBodies } from './kept-bodies.ts';
import { detach, Trace } from './trace.ts';

/** How much a request log keeps, and how it numbers requests. */
export interface RequestLogOptions {
  /** Maximum number of entries. */
  readonly capacity: number;
  /** Maximum number of bytes of all bodies together. */
  readonly bodyBytes: number;
  /** Gives every request its own number. The logs of a mock and its sandboxes share it, so that no number repeats. */
  readonly nextId: () => number;
}

/** What a full request log dropped to make room. */
export interface DroppedRequests {
  /** Number of dropped entries, the oldest first. */
  readonly entries: number;
  /** Number of dropped bodies of requests and responses, including those of dropped entries. */
  readonly bodies: number;
}

/** The latest requests of a world, up to a maximum number. */
export class RequestLog {
  readonly #capacity: number;
  readonly #nextId: () => number;
  readonly #bodies: KeptBodies;
  readonly #headers = new KeptHeaders();
  readonly #ring: Trace[] = [];
  #received = 0;
  /** Number of received requests that were cleared. */
  #cleared = 0;
  #dropped = new DroppedCounts();

  constructor({ capacity, bodyBytes, nextId }: RequestLogOptions) {
    this.#capacity = capacity;
    this.#nextId = nextId;
    this.#bodies = new KeptBodies(capacity === 0 ? 0 : bodyBytes);
  }

  receive(requestId: string, now: number, request: PlainRequest, path: string): Trace {
    // The path is a slice of the request target, and would keep a long query in memory.
    const ownPath = request.query === '' ? path : detach(path);
    const trace = new Trace(
      this.#nextId(),
      requestId,
      now,
      request,
      this.#headers.keep(request.headers),
      ownPath,
    );
    this.#received++;
    if (this.#capacity === 0) {
      this.#dropped.add(undefined);
      this.#bodies.keepRequest(trace, request.body);
      return trace;
    }
    const index = (this.#received - 1) % this.#capacity;
    const oldest = this.received > this.#capacity ? this.#ring[index] : undefined;
    if (oldest !== undefined) {
      this.#dropped.add(oldest);
      this.#bodies.remove(oldest);
    }
    this.#ring[index] = trace;
    this.#bodies.keepRequest(trace, request.body);
    return trace;
  }

  /** Keeps the text of a request's body instead of its bytes, which the mock then needs no more. */
  keepText(trace: Trace, text: string): void {
    this.#bodies.keepText(trace, text);
  }

  /** Keeps the response of a request, also if a fault then loses it. */
  keepResponse(trace: Trace, { headers, body }: PlainResponse): void {
    trace.responseHeaders = headers;
    this.#bodies.keepResponse(trace, body);
  }

  /** Number of requests since the last clear, including dropped ones. */
  get received(): number {
    return this.#received - this.#cleared;
  }

  /** The requests that were dropped since the last clear, by kind. */
  get droppedCounts(): DroppedCounts {
    return this.#dropped;
  }

  /** What was dropped since the last clear. */
  get dropped(): DroppedRequests {
    return { entries: this.#dropped.count, bodies: this.#bodies.dropped };
  }

  /** The kept requests, oldest first. */
  list(): Trace[] {
    const kept = Math.min(this.received, this.#capacity);
    return Array.from(
      { length: kept },
      (_, i) => this.#ring[(this.#received - kept + i) % this.#capacity] as Trace,
    );
  }

  /** Finds a kept request by its number or its requestId. */
  find(id: number | string): Trace | undefined {
    return this.#ring.find((trace) => (typeof id === 'number' ? trace.id : trace.requestId) === id);
  }

  /** Notes that a request was answered 500 because its result could not be written to the data file. */
  noteUnwritten(requestId: string, error: string, response: PlainResponse): void {
    const trace = this.find(requestId);
    if (trace === undefined) return;
    trace.status = 500;
    trace.error = error;
    this.keepResponse(trace, response);
  }

  clear(): void {
    this.#cleared = this.#received;
    this.#ring.length = 0;
    this.#dropped = new DroppedCounts();
    this.#bodies.clear();
  }
}
