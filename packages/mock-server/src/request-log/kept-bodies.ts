import { maxLoggedBodyBytes } from '../mock-limits.ts';
import type { KeptBody, Trace } from './trace.ts';

/**
 * Keeps the bodies of a request log within a number of bytes: of the oldest request first, both bodies are dropped. A
 * body is a reference to what the mock has anyway; only the start of a body over 64 KiB is copied.
 */
export class KeptBodies {
  readonly #maxBytes: number;
  /** The requests that may have bodies, oldest first; those before `#head` were dropped. */
  #traces: Trace[] = [];
  #head = 0;
  #bytes = 0;
  #dropped = 0;
  #lastResponse = '';
  /** The newest request whose bodies were dropped. A late response to it or to an older one is not kept. */
  #lastDropped = 0;
  /** The newest request that was cleared. */
  #lastCleared = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Number of bodies that were dropped since the last clear. */
  get dropped(): number {
    return this.#dropped;
  }

  keepRequest(trace: Trace, body: Uint8Array | string): void {
    this.#traces.push(trace);
    if (trace.requestBytes === 0) return;
    trace.requestBody = truncateBody(body, trace.requestBytes);
    this.#add(Math.min(trace.requestBytes, maxLoggedBodyBytes));
  }

  keepText(trace: Trace, text: string): void {
    if (trace.requestBody !== undefined && trace.requestBytes <= maxLoggedBodyBytes) trace.requestBody = text;
  }

  keepResponse(trace: Trace, body: string): void {
    const before = trace.responseBody;
    if (before !== undefined) this.#bytes -= Math.min(trace.responseBytes, maxLoggedBodyBytes);
    trace.responseBytes = Buffer.byteLength(body);
    trace.responseBody = undefined;
    if (trace.responseBytes === 0 || trace.id <= this.#lastCleared) return;
    if (trace.id <= this.#lastDropped) {
      this.#dropped++;
      return;
    }
    // The answers to equal reads are often equal; one text for all of them is less to collect as garbage.
    if (this.#lastResponse !== body) this.#lastResponse = body;
    trace.responseBody = truncateBody(this.#lastResponse, trace.responseBytes);
    this.#add(Math.min(trace.responseBytes, maxLoggedBodyBytes));
  }

  /** Removes the bodies of a dropped entry, which is the oldest. */
  remove(trace: Trace): void {
    // The bodies of older requests are dropped with it, or were dropped before.
    while (this.#lastDropped < trace.id && this.#head < this.#traces.length) this.#dropOldest();
  }

  clear(): void {
    const newest = this.#traces.at(-1);
    if (newest !== undefined) this.#lastCleared = newest.id;
    this.#traces = [];
    this.#lastResponse = '';
    this.#head = 0;
    this.#bytes = 0;
    this.#dropped = 0;
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes && this.#head < this.#traces.length) this.#dropOldest();
  }

  #dropOldest(): void {
    const trace = this.#traces[this.#head++]!;
    this.#lastDropped = trace.id;
    if (trace.requestBody !== undefined) {
      this.#bytes -= Math.min(trace.requestBytes, maxLoggedBodyBytes);
      this.#dropped++;
      trace.requestBody = undefined;
    }
    if (trace.responseBody !== undefined) {
      this.#bytes -= Math.min(trace.responseBytes, maxLoggedBodyBytes);
      this.#dropped++;
      trace.responseBody = undefined;
    }
    // Removing the first item of a large array each time would move all others.
    if (this.#head > 1024 && this.#head * 2 > this.#traces.length) {
      this.#traces.splice(0, this.#head);
      this.#head = 0;
    }
  }
}

/** The whole body, or a copy of its first 64 KiB: a slice would keep the whole body in memory. */
function truncateBody(body: Uint8Array | string, bytes: number): KeptBody {
  if (bytes <= maxLoggedBodyBytes) return body;
  const start =
    typeof body === 'string'
      ? Buffer.from(body.slice(0, maxLoggedBodyBytes))
      : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Uint8Array.prototype.slice.call(start, 0, maxLoggedBodyBytes);
}
