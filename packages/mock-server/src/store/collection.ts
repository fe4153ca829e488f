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
    const stretches = sight.map((account) => stretchOf(byAccount, account)).filter(({ count }) => count > 0);
    const total = stretches.reduce((sum, { count }) => sum + count, 0);
    if (offset >= total) return { entries: [], total };
    const below = this.#below(byAccount, stretches, total, total - offset);
    const parts = below.map((count, i) =>
      byAccount.downFrom(stretches[i]!.start + count - 1, Math.min(limit, count)),
    );
    return { entries: merge(parts, limit), total };
  }

  /**
   * How many entries of each stretch stand below the place that has `count` entries of all of them below it. With
   * several, the place is guessed from how dense the entries stand around it, which takes as few guesses among many
   * entries as among few; every other guess is the middle, in case they stand very unevenly.
   */
  #below(
    byAccount: Tree<number, Entry>,
    stretches: readonly Stretch[],
    total: number,
    count: number,
  ): number[] {
    if (count === total) return stretches.map((stretch) => stretch.count);
    if (stretches.length === 1) return [count];
    let low = { sequence: 0, count: 0 };
    let high = { sequence: this.#next, count: total };
    for (let dense = true; ; dense = !dense) {
      const share = dense ? (count - low.count) / (high.count - low.count) : 0.5;
      const between = low.sequence + Math.floor((high.sequence - low.sequence) * share);
      const sequence = Math.min(Math.max(between, low.sequence + 1), high.sequence - 1);
      const below = stretches.map(
        ({ account, start }) => byAccount.rank(account * stride + sequence) - start,
      );
      const found = below.reduce((sum, n) => sum + n, 0);
      if (found === count) return below;
      if (found < count) low = { sequence, count: found };
      else high = { sequence, count: found };
    }
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

/** Where the entries of an account stand in the order by account. */
interface Stretch {
  readonly account: number;
  /** How many entries stand before them. */
  readonly start: number;
  readonly count: number;
}

function stretchOf(byAccount: Tree<number, Entry>, account: number): Stretch {
  const start = byAccount.rank(account * stride);
  return { account, start, count: byAccount.rank((account + 1) * stride) - start };
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
