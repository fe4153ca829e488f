import type { RequestEntry } from '../control-api/types.ts';

/** The latest requests by id, oldest first, up to a maximum number. */
export class RequestRows {
  readonly #capacity: number;
  #entries: RequestEntry[] = [];
  #shown: readonly RequestEntry[] | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  replace(entries: readonly RequestEntry[]): void {
    this.#entries = entries.slice(-this.#capacity);
    this.#shown = undefined;
  }

  /** Adds a request, or replaces it if it is known: a request may be reported again when it is complete. */
  add(entry: RequestEntry): void {
    this.#shown = undefined;
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
