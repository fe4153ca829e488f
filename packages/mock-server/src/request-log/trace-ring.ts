import type { Trace } from './trace.ts';

/** The newest entries of a request log, up to a maximum number. Entries are numbered from 0 in the order they came. */
export class TraceRing {
  readonly capacity: number;
  #slots: Trace[] = [];
  /** The number of the next entry. */
  #end = 0;
  /** The number of the oldest entry since the last clear, kept or not. */
  #first = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** The number of the next entry. */
  get end(): number {
    return this.#end;
  }

  /** The number of the oldest kept entry; that of the next one if none is kept. */
  get start(): number {
    return Math.max(this.#first, this.#end - this.capacity);
  }

  /** Number of entries since the last clear, including those that are no longer kept. */
  get received(): number {
    return this.#end - this.#first;
  }

  /** The entry whose place the next one takes; undefined if there is room. */
  get next(): Trace | undefined {
    return this.#end - this.#first < this.capacity ? undefined : this.#slots[this.#end % this.capacity];
  }

  /** Adds an entry in the place of the oldest if the ring is full. */
  push(trace: Trace): void {
    if (this.capacity > 0) this.#slots[this.#end % this.capacity] = trace;
    this.#end++;
  }

  /** The kept entry with a number. */
  get(number: number): Trace {
    return this.#slots[number % this.capacity]!;
  }

  /** Whether an entry is kept: it is not older than the oldest one. Ids increase. */
  has({ id }: Trace): boolean {
    return this.start < this.#end && id >= this.get(this.start).id;
  }

  /** The kept entries, oldest first. */
  list(): Trace[] {
    const { start } = this;
    return Array.from({ length: this.#end - start }, (_, i) => this.get(start + i));
  }

  clear(): void {
    this.#first = this.#end;
    this.#slots = [];
  }
}
