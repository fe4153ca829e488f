import type { Trace } from './journal.ts';

/** Kinds of dropped requests that are told apart; a client can invent any number of actions. */
const maxKinds = 1000;

/** What is remembered of a dropped request; undefined where it could be any. */
interface Kind {
  readonly operation: string | undefined;
  readonly action: string | undefined;
  readonly status: number | undefined;
}

/** Which requests are looked for; undefined where it does not matter. */
export type Sought = Partial<Kind>;

/**
 * Counts the requests that the log dropped by what they were, so that it can be said how many of them could have been
 * those that somebody looks for.
 */
export class Dropped {
  readonly #counts = new Map<string, { readonly kind: Kind; count: number }>();
  /** Dropped requests of which nothing is known. */
  #unknown = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Counts a request; without its trace, one of which nothing is known. */
  add(trace: Trace | undefined): void {
    this.#count++;
    if (trace === undefined) {
      this.#unknown++;
      return;
    }
    const { operation = '', action = '', status } = trace;
    const name = `${operation} ${action} ${status}`;
    const known = this.#counts.get(name);
    if (known !== undefined) known.count++;
    else if (this.#counts.size >= maxKinds) this.#unknown++;
    else this.#counts.set(name, { kind: { operation, action, status }, count: 1 });
  }

  /** How many dropped requests could be those that are looked for. A request without a status may still get one. */
  matching({ operation, action, status }: Sought): number {
    let count = this.#unknown;
    for (const { kind, count: ofKind } of this.#counts.values()) {
      if (operation !== undefined && operation !== kind.operation) continue;
      if (action !== undefined && action !== kind.action) continue;
      if (status !== undefined && kind.status !== undefined && status !== kind.status) continue;
      count += ofKind;
    }
    return count;
  }
}
