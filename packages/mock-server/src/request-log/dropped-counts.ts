/** Maximum number of kinds of dropped requests to count apart; a client can invent any number of actions. */
const maxKinds = 1000;

/** What is remembered of a dropped request. A field is undefined if it was not known when the request was dropped. */
interface Kind {
  readonly operation: string | undefined;
  readonly action: string | undefined;
  readonly status: number | undefined;
}

interface Counted {
  readonly kind: Kind;
  count: number;
}

/** Which requests to look for; undefined fields match any value. */
export type DroppedFilter = Partial<Kind>;

/**
 * Counts dropped requests by kind, so that it is known how many of them could have matched a filter.
 */
export class DroppedCounts {
  readonly #counts = new Map<string, Counted>();
  /** The kind that was counted last. Comparing with it is faster than finding it by name. */
  #last: Counted | undefined;
  /** Dropped requests of unknown kind. */
  #unknown = 0;
  #requests = 0;
  #controlCalls = 0;

  /** Number of dropped entries: requests and control calls. */
  get entries(): number {
    return this.#requests + this.#controlCalls;
  }

  /** Counts a dropped request; undefined if its kind is unknown. A control call may be an entry, but matches no filter. */
  add(request: Kind | undefined | 'control call'): void {
    if (request === 'control call') {
      this.#controlCalls++;
      return;
    }
    this.#requests++;
    if (request === undefined) {
      this.#unknown++;
      return;
    }
    const { operation, action, status } = request;
    let counted = this.#last;
    if (counted === undefined || !isKind(counted.kind, operation, action, status)) {
      counted = this.#find({ operation, action, status });
      this.#last = counted;
    }
    if (counted === undefined) this.#unknown++;
    else counted.count++;
  }

  /** Finds or creates the count of a kind; undefined if there are too many kinds. */
  #find(kind: Kind): Counted | undefined {
    const name = `${kind.operation ?? ''} ${kind.action ?? ''} ${kind.status}`;
    const known = this.#counts.get(name);
    if (known !== undefined || this.#counts.size >= maxKinds) return known;
    const counted = { kind, count: 0 };
    this.#counts.set(name, counted);
    return counted;
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

const isKind = (
  kind: Kind,
  operation: string | undefined,
  action: string | undefined,
  status: number | undefined,
): boolean => kind.operation === operation && kind.action === action && kind.status === status;
