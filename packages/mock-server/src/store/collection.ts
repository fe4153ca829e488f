import type { Entry } from './entry.ts';
import { Keyed } from './keyed.ts';
import { Tree } from './tree.ts';

/** Accounts a key can see, by number, ascending; undefined for all of them. 0 stands for records of no account. */
export type Sight = readonly number[] | undefined;

export interface Page {
  readonly entries: readonly Entry[];
  readonly total: number;
}

/** Room for the sequence numbers of one account in a key of the order by account. */
const stride = 2 ** 36;

/** Records of one resource: by key, newest first, and newest first within an account. */
export class Collection {
  readonly #byId: Keyed<Entry>;
  readonly #order: Tree<number, Entry>;
  /** Not there while no record belongs to an account: then all are visible to every key. */
  #byAccount: Tree<number, Entry> | undefined;
  #next: number;

  private constructor(
    byId: Keyed<Entry>,
    order: Tree<number, Entry>,
    byAccount: Tree<number, Entry> | undefined,
    next: number,
  ) {
    this.#byId = byId;
    this.#order = order;
    this.#byAccount = byAccount;
    this.#next = next;
  }

  static empty(): Collection {
    return new Collection(new Keyed(), Tree.ofNumbers(), undefined, 1);
  }

  fork(): Collection {
    return new Collection(this.#byId.fork(), this.#order.fork(), this.#byAccount?.fork(), this.#next);
  }

  /** The sequence number of the next new record. */
  get nextSequence(): number {
    return this.#next;
  }

  get(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  /** Adds an entry, or replaces the one of its id. */
  put(entry: Entry): void {
    if (this.#byAccount !== undefined) {
      const before = this.#byId.get(entry.id);
      if (before !== undefined && before.account !== entry.account) this.#leaveAccount(before);
      this.#byAccount.set(entry.account * stride + entry.sequence, entry);
    }
    this.#byId.set(entry.id, entry);
    this.#order.set(entry.sequence, entry);
    if (this.#byAccount === undefined && entry.account !== 0) this.#byAccount = this.#divide();
    if (entry.sequence >= this.#next) this.#next = entry.sequence + 1;
  }

  remove(entry: Entry): void {
    this.#byId.delete(entry.id);
    this.#order.delete(entry.sequence);
    this.#leaveAccount(entry);
  }

  /** All entries, oldest first. */
  values(): Iterable<Entry> {
    return this.#order.values();
  }

  /** A page at any offset from the newest, of what can be seen. */
  page(sight: Sight, offset: number, limit: number): Page {
    const byAccount = this.#byAccount;
    if (sight === undefined || byAccount === undefined) {
      const total = this.#order.size;
      return { entries: this.#order.downFrom(total - 1 - offset, limit), total };
    }
    const starts = sight.map((account) => byAccount.rank(account * stride));
    const counts = sight.map((account, i) => byAccount.rank((account + 1) * stride) - starts[i]!);
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (offset >= total) return { entries: [], total };
    const below = this.#below(byAccount, sight, starts, total - offset);
    const parts = below.map((count, i) => byAccount.downFrom(starts[i]! + count - 1, Math.min(limit, count)));
    return { entries: merge(parts, limit), total };
  }

  /**
   * How many entries of each account stand below the place that has `count` entries of all the accounts below it.
   * With one account that is the count itself; with several, the place is found by halving the sequence numbers.
   */
  #below(
    byAccount: Tree<number, Entry>,
    sight: Sight & object,
    starts: readonly number[],
    count: number,
  ): number[] {
    if (sight.length === 1) return [count];
    const belowSequence = (sequence: number): number[] =>
      sight.map((account, i) => byAccount.rank(account * stride + sequence) - starts[i]!);
    let low = 0;
    let high = this.#next;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (belowSequence(middle).reduce((sum, n) => sum + n, 0) < count) low = middle + 1;
      else high = middle;
    }
    return belowSequence(low);
  }

  #divide(): Tree<number, Entry> {
    const byAccount = Tree.ofNumbers<Entry>();
    for (const entry of this.#order.values()) byAccount.set(entry.account * stride + entry.sequence, entry);
    return byAccount;
  }

  #leaveAccount(entry: Entry): void {
    this.#byAccount?.delete(entry.account * stride + entry.sequence);
  }
}

/** The newest of several lists that are each newest first. */
function merge(parts: readonly (readonly Entry[])[], limit: number): Entry[] {
  const entries: Entry[] = [];
  const heads = parts.map(() => 0);
  while (entries.length < limit) {
    let best = -1;
    for (let i = 0; i < parts.length; i++) {
      const head = parts[i]![heads[i]!];
      if (head && (best < 0 || head.sequence > parts[best]![heads[best]!]!.sequence)) best = i;
    }
    if (best < 0) break;
    entries.push(parts[best]![heads[best]!++]!);
  }
  return entries;
}
