import { Entry, type Fields } from './entry.ts';
import { Keyed } from './keyed.ts';
import { Tree } from './tree.ts';

const digits = (n: number, width: number): string => n.toString(36).padStart(width, '0');

/** Where an entry stands among those of its parent: by the time of its last change, then by arrival. */
export function placeOf(entry: Entry): string {
  return digits(Date.parse(entry.fields.updatedAt as string), 9) + digits(entry.sequence, 7);
}

export interface ShelfPage {
  readonly entries: readonly Entry[];
  readonly total: number;
  /** Whether more entries stand after these. */
  readonly more: boolean;
}

/** Studio's lists: entries of a parent, the last changed first; an entry that changes moves to the front. */
export class Shelf {
  readonly #byId: Keyed<Entry>;
  readonly #order: Tree<string, Entry>;
  #next: number;

  private constructor(byId: Keyed<Entry>, order: Tree<string, Entry>, next: number) {
    this.#byId = byId;
    this.#order = order;
    this.#next = next;
  }

  static empty(): Shelf {
    return new Shelf(new Keyed(), Tree.ofStrings(), 1);
  }

  fork(): Shelf {
    return new Shelf(this.#byId.fork(), this.#order.fork(), this.#next);
  }

  /** The entry of an id below a parent. */
  get(parent: string, id: string): Entry | undefined {
    return this.#byId.get(`${parent} ${id}`);
  }

  /** Adds fields under an id, or replaces what is there; either way it is now the last to have changed. */
  put(parent: string, id: string, fields: Fields, sequence?: number): Entry {
    const before = this.get(parent, id);
    if (before !== undefined) this.#order.delete(`${parent} ${placeOf(before)}`);
    const entry = new Entry(sequence ?? this.#next, 0, (before?.version ?? 0) + 1, id, fields);
    if (entry.sequence >= this.#next) this.#next = entry.sequence + 1;
    this.#byId.set(`${parent} ${id}`, entry);
    this.#order.set(`${parent} ${placeOf(entry)}`, entry);
    return entry;
  }

  /** A page of the entries of a parent that pass `filter`, from the one after the place `after`. */
  page(
    parent: string,
    after: string | undefined,
    limit: number,
    filter?: (entry: Entry) => boolean,
  ): ShelfPage {
    const start = this.#order.rank(`${parent} `);
    const end = this.#order.rank(`${parent}~`);
    const from = (after === undefined ? end : this.#order.rank(`${parent} ${after}`)) - 1;
    if (filter === undefined) {
      const left = from - start + 1;
      const entries = this.#order.downFrom(from, Math.min(limit, left));
      return { entries, total: end - start, more: left > limit };
    }
    const total = this.#order.downFrom(end - 1, end - start).filter(filter).length;
    const left = this.#order.downFrom(from, from - start + 1).filter(filter);
    return { entries: left.slice(0, limit), total, more: left.length > limit };
  }

  /** All entries of a parent in the order they arrived. */
  arrived(parent: string): Entry[] {
    const { entries } = this.page(parent, undefined, Number.MAX_SAFE_INTEGER);
    return entries.slice().sort((a, b) => a.sequence - b.sequence);
  }
}
