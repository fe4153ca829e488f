/** Maximum number of kinds of dropped requests to count apart; a client can invent any number of actions. */
const maxKinds = 1000;

/** What is remembered of a dropped request; undefined fields could have had any value. */
interface Kind {
  readonly operation: string | undefined;
  readonly action: string | undefined;
  readonly status: number | undefined;
}

/** Which requests to look for; undefined fields match any value. */
export type DroppedFilter = Partial<Kind>;

/**
 * Counts dropped requests by kind, so that it is known how many of them could have matched a filter.
 */
export class DroppedCounts {
  readonly #counts = new Map<string, { readonly kind: Kind; count: number }>();
  /** Dropped requests of unknown kind. */
  #unknown = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Counts a dropped request; undefined if its kind is unknown. */
  add(request: Kind | undefined): void {
    this.#count++;
    if (request === undefined) {
      this.#unknown++;
      return;
    }
    const { operation = '', action = '', status } = request;
    const name = `${operation} ${action} ${status}`;
    const known = this.#counts.get(name);
    if (known !== undefined) known.count++;
    else if (this.#counts.size >= maxKinds) this.#unknown++;
    else this.#counts.set(name, { kind: { operation, action, status }, count: 1 });
  }

  /** Number of dropped requests that could match a filter. A request without a status may still get one. */
  matching({ operation, action, status }: DroppedFilter): number {
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
