import type { RequestEntry } from '../control-api/types.ts';

/** A read of the whole log that is in progress. */
export interface LogRead {
  /** What arrived since it began. */
  readonly arrived: RequestEntry[];
}

/** The latest requests by id, oldest first, up to a maximum number. */
export class RequestRows {
  readonly #capacity: number;
  #entries: RequestEntry[] = [];
  #shown: readonly RequestEntry[] | undefined;
  #read: LogRead | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Begins a read of the whole log, and returns it for `finishRead`. It replaces an earlier read that is in progress. */
  beginRead(): LogRead {
    this.#read = { arrived: [] };
    return this.#read;
  }

  /**
   * Replaces all rows by the answer to a read, which may be older than what arrived in the meantime. The answer to a read
   * that was replaced is ignored: it lacks what arrived before the later one began. Returns whether it was used.
   */
  finishRead(read: LogRead, entries: readonly RequestEntry[]): boolean {
    if (read !== this.#read) return false;
    this.#read = undefined;
    this.#entries = entries.slice(-this.#capacity);
    this.#shown = undefined;
    for (const entry of read.arrived) this.add(entry);
    return true;
  }

  /** Ends a read without an answer. Returns false if it was replaced before. */
  failRead(read: LogRead): boolean {
    if (read !== this.#read) return false;
    this.#read = undefined;
    return true;
  }

  /** Adds a request, or replaces it if it is known: a request may be reported again when it is complete. */
  add(entry: RequestEntry): void {
    this.#shown = undefined;
    this.#read?.arrived.push(entry);
    const entries = this.#entries;
    // Nearly always the newest, so the place is sought from the end.
    let place = entries.length;
    while (place > 0 && (entries[place - 1] as RequestEntry).id > entry.id) place--;
    if (entries[place - 1]?.id === entry.id) entries[place - 1] = entry;
    else entries.splice(place, 0, entry);
    // Removing one by one would move all others each time.
    if (entries.length > this.#capacity + 500) this.#entries = entries.slice(-this.#capacity);
  }

  toArray(): readonly RequestEntry[] {
    this.#shown ??= this.#entries.slice(-this.#capacity);
    return this.#shown;
  }
}
