import { maxLoggedBodyBytes } from '../mock-limits.ts';
import type { StoredAnswer } from '../operations/lifecycle.ts';
import { byteLength } from '../primitives/platform.ts';
import type { KeptBody } from './logged-body.ts';
import type { Trace } from './trace.ts';
import type { TraceRing } from './trace-ring.ts';

/**
 * Keeps the bodies of a request log within a number of bytes: of the oldest request first, both bodies are dropped. A
 * body is a reference to what the mock has anyway; only the start of a body over 64 KiB is copied. Equal bodies of
 * requests that follow each other are kept once: what lives longer than a request costs more than comparing.
 */
export class KeptBodies {
  readonly #ring: TraceRing;
  readonly #maxBytes: number;
  /** The number of the oldest request in the ring that may have bodies. */
  #head = 0;
  #bytes = 0;
  #dropped = 0;
  #lastText = '';
  #lastResponse = '';
  #lastResponseBytes = 0;
  /** The id of the newest request whose bodies were dropped. A late response to it or to an older one is not kept. */
  #lastDropped = 0;
  /** The id of the newest request that was cleared. */
  #lastCleared = 0;

  constructor(ring: TraceRing, maxBytes: number) {
    this.#ring = ring;
    this.#maxBytes = maxBytes;
  }

  /** Number of bodies that were dropped since the last clear. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Keeps the body of a request that was just added to the ring. */
  keepRequest(trace: Trace, body: Uint8Array | string): void {
    const bytes = trace.requestBytes;
    if (this.#ring.capacity === 0) this.#lastDropped = trace.id;
    if (bytes === 0) return;
    if (this.#ring.capacity === 0) {
      this.#dropped++;
      return;
    }
    trace.requestBody = bytes <= maxLoggedBodyBytes ? body : copyStart(body);
    this.#add(bytes);
  }

  /** Keeps the text of a request's body instead of its bytes. */
  keepText(trace: Trace, text: string): void {
    if (trace.requestBody === undefined || trace.requestBytes > maxLoggedBodyBytes) return;
    if (this.#lastText !== text) this.#lastText = text;
    trace.requestBody = this.#lastText;
  }

  keepResponse(trace: Trace, body: string, answer?: StoredAnswer): void {
    if (trace.responseBody !== undefined) this.#remove(trace.responseBytes);
    // The answers to equal reads are often equal.
    if (this.#lastResponse !== body) {
      this.#lastResponse = body;
      this.#lastResponseBytes = byteLength(body);
    }
    const bytes = this.#lastResponseBytes;
    trace.responseBytes = bytes;
    trace.responseBody = undefined;
    if (bytes === 0 || trace.id <= this.#lastCleared) return;
    if (trace.id <= this.#lastDropped) {
      this.#dropped++;
      return;
    }
    trace.responseBody = bytes <= maxLoggedBodyBytes ? (answer ?? this.#lastResponse) : copyStart(body);
    this.#add(bytes);
  }

  /** Drops the bodies of the entry that leaves the ring, which is the oldest. */
  dropOldestEntry(): void {
    if (this.#head === this.#ring.start) this.#dropOldest();
  }

  /** Forgets everything; the ring is cleared after it. Events may refer to the entries for longer. */
  clear(): void {
    const { end, start } = this.#ring;
    for (let number = this.#head; number < end; number++) {
      const trace = this.#ring.get(number);
      trace.requestBody = undefined;
      trace.responseBody = undefined;
    }
    if (end > start) this.#lastCleared = this.#ring.get(end - 1).id;
    this.#head = end;
    this.#bytes = 0;
    this.#dropped = 0;
    this.#lastText = '';
    this.#lastResponse = '';
    this.#lastResponseBytes = 0;
  }

  #add(bytes: number): void {
    this.#bytes += Math.min(bytes, maxLoggedBodyBytes);
    while (this.#bytes > this.#maxBytes && this.#head < this.#ring.end) this.#dropOldest();
  }

  #remove(bytes: number): void {
    this.#bytes -= Math.min(bytes, maxLoggedBodyBytes);
  }

  #dropOldest(): void {
    const trace = this.#ring.get(this.#head++);
    this.#lastDropped = trace.id;
    if (trace.requestBody !== undefined) {
      this.#remove(trace.requestBytes);
      this.#dropped++;
      trace.requestBody = undefined;
    }
    if (trace.responseBody !== undefined) {
      this.#remove(trace.responseBytes);
      this.#dropped++;
      trace.responseBody = undefined;
    }
  }
}

/** A copy of the first 64 KiB: a slice would keep the whole body in memory. */
function copyStart(body: Uint8Array | string): KeptBody {
  const start = typeof body === 'string' ? new TextEncoder().encode(body.slice(0, maxLoggedBodyBytes)) : body;
  return Uint8Array.prototype.slice.call(start, 0, maxLoggedBodyBytes);
}
