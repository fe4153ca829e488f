import { ForkableMap } from '../primitives/forkable-map.ts';
import type { Entry } from './entry.ts';
import { Tree } from './tree.ts';

/** The accounts that a key can read, as ascending numbers; undefined for all. 0 stands for records of no account. */
export type AccountScope = readonly number[] | undefined;

export interface Page {
  readonly entries: readonly Entry[];
  readonly total: number;
}

/** The number of sequence numbers reserved per account in the keys of the index by account. */
const stride = 2 ** 36;

/** The records of one resource, by key and newest first, also within each account. */
export class Collection {
  readonly #byId: ForkableMap<Entry>;
  readonly #order: Tree<number, Entry>;
  /** Undefined while no record belongs to an account: then every key can read all records. */
  #byAccount: Tree<number, Entry> | undefined;
  #next: number;

  private constructor(
    byId: ForkableMap<Entry>,
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
    return new Collection(new ForkableMap(), Tree.ofNumbers(), undefined, 1);
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
      if (before !== undefined && before.account !== entry.account) this.#removeFromAccount(before);
      this.#byAccount.set(entry.account * stride + entry.sequence, entry);
    }
    this.#byId.set(entry.id, entry);
    this.#order.set(entry.sequence, entry);
    if (this.#byAccount === undefined && entry.account !== 0) this.#byAccount = this.#indexByAccount();
    if (entry.sequence >= this.#next) this.#next = entry.sequence + 1;
  }

  remove(entry: Entry): void {
    this.#byId.delete(entry.id);
    this.#order.delete(entry.sequence);
    this.#removeFromAccount(entry);
  }

  /** All entries, oldest first. */
  values(): Iterable<Entry> {
    return this.#order.values();
  }

  /** A page of the readable records, at any offset from the newest. */
  page(scope: AccountScope, offset: number, limit: number): Page {
    const byAccount = this.#byAccount;
    if (scope === undefined || byAccount === undefined) {
      const total = this.#order.size;
      return { entries: this.#order.downFrom(total - 1 - offset, limit), total };
    }
    const ranges = scope
      .map((account) => getAccountRange(byAccount, account))
      .filter(({ count }) => count > 0);
    const total = ranges.reduce((sum, { count }) => sum + count, 0);
    if (offset >= total) return { entries: [], total };
    const below = this.#below(byAccount, ranges, total, total - offset);
    const parts = below.map((count, i) =>
      byAccount.downFrom(ranges[i]!.start + count - 1, Math.min(limit, count)),
    );
    return { entries: merge(parts, limit), total };
  }

  /**
   * Finds the sequence number below which all ranges together have `count` entries, and returns the number of entries
   * below it in each range. Alternates interpolation search, which needs few steps for evenly spread entries, with binary
   * search, which bounds the steps for uneven ones.
   */
  #below(
    byAccount: Tree<number, Entry>,
    ranges: readonly AccountRange[],
    total: number,
    count: number,
  ): number[] {
    if (count === total) return ranges.map((range) => range.count);
    if (ranges.length === 1) return [count];
    let low = { sequence: 0, count: 0 };
    let high = { sequence: this.#next, count: total };
    for (let dense = true; ; dense = !dense) {
      const share = dense ? (count - low.count) / (high.count - low.count) : 0.5;
      const between = low.sequence + Math.floor((high.sequence - low.sequence) * share);
      const sequence = Math.min(Math.max(between, low.sequence + 1), high.sequence - 1);
      const below = ranges.map(({ account, start }) => byAccount.rank(account * stride + sequence) - start);
      const found = below.reduce((sum, n) => sum + n, 0);
      if (found === count) return below;
      if (found < count) low = { sequence, count: found };
      else high = { sequence, count: found };
    }
  }

  #indexByAccount(): Tree<number, Entry> {
    const byAccount = Tree.ofNumbers<Entry>();
    for (const entry of this.#order.values()) byAccount.set(entry.account * stride + entry.sequence, entry);
    return byAccount;
  }

  #removeFromAccount(entry: Entry): void {
    this.#byAccount?.delete(entry.account * stride + entry.sequence);
  }
}

/** The range of an account's entries in the index by account. */
interface AccountRange {
  readonly account: number;
  /** The number of entries before the range. */
  readonly start: number;
  readonly count: number;
}

function getAccountRange(byAccount: Tree<number, Entry>, account: number): AccountRange {
  const start = byAccount.rank(account * stride);
  return { account, start, count: byAccount.rank((account + 1) * stride) - start };
}

/** The newest entries of several lists that are each sorted newest first. */
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
