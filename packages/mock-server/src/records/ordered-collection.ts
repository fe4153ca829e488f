import { firstMoment } from '@orgchat/spec/resources/moment';
import { ForkableMap } from '../primitives/forkable-map.ts';
import { Entry, type Fields } from './entry.ts';
import { Tree } from './tree.ts';

const digits = (n: number, width: number): string => n.toString(36).padStart(width, '0');

/** The sort key of an entry within its parent: the time of its last change, then its arrival. */
export function toSortKey(entry: Entry): string {
  const at = Date.parse(entry.fields.updatedAt as string) - firstMoment;
  return digits(at, 10) + digits(entry.sequence, 7);
}

export interface OrderedPage {
  readonly entries: readonly Entry[];
  readonly total: number;
  /** Whether more entries follow. */
  readonly more: boolean;
}

/** Entries of each parent, the last changed first: the lists of Studio. A changed entry moves to the front. */
export class OrderedCollection {
  readonly #byId: ForkableMap<Entry>;
  readonly #order: Tree<string, Entry>;
  #next: number;

  private constructor(byId: ForkableMap<Entry>, order: Tree<string, Entry>, next: number) {
    this.#byId = byId;
    this.#order = order;
    this.#next = next;
  }

  static empty(): OrderedCollection {
    return new OrderedCollection(new ForkableMap(), Tree.ofStrings(), 1);
  }

  fork(): OrderedCollection {
    return new OrderedCollection(this.#byId.fork(), this.#order.fork(), this.#next);
  }

  /** The entry of an id below a parent. */
  get(parent: string, id: string): Entry | undefined {
    return this.#byId.get(`${parent} ${id}`);
  }

  /** Adds or replaces an entry, which becomes the last changed one. */
  put(parent: string, id: string, fields: Fields, sequence?: number): Entry {
    const before = this.get(parent, id);
    if (before !== undefined) this.#order.delete(`${parent} ${toSortKey(before)}`);
    const entry = new Entry(sequence ?? this.#next, 0, (before?.version ?? 0) + 1, id, fields);
    if (entry.sequence >= this.#next) this.#next = entry.sequence + 1;
    this.#byId.set(`${parent} ${id}`, entry);
    this.#order.set(`${parent} ${toSortKey(entry)}`, entry);
    return entry;
  }

  /** A page of the entries of a parent that pass `filter`, after the sort key `after`. */
  page(
    parent: string,
    after: string | undefined,
    limit: number,
    filter?: (entry: Entry) => boolean,
  ): OrderedPage {
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
  inArrivalOrder(parent: string): Entry[] {
    const { entries } = this.page(parent, undefined, Number.MAX_SAFE_INTEGER);
    return entries.slice().sort((a, b) => a.sequence - b.sequence);
  }
}
