import type { AuditEntry, Notification } from '../generated/public-types.ts';
import type { ForkableMap } from '../primitives/forkable-map.ts';
import type { SeededRandom } from '../primitives/seeded-random.ts';
import type { Key } from '../records/key.ts';
import type { Organization } from '../records/organization.ts';
import type { Tree } from '../records/tree.ts';
import type { Trace } from '../request-log/trace.ts';

/** What a rewind goes back to: everything of a world except its clock, limits, faults and request log. */
export interface WorldState {
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly keys: ForkableMap<Key>;
  /** The records that a fault deleted as a rival, by their ids, with the id of the fault. */
  readonly rivalDeletions: ForkableMap<string>;
  readonly random: SeededRandom;
  readonly audit: Tree<number, AuditEntry>;
  readonly notifications: Tree<number, Notification>;
}

/** The state before a request changed something. */
export interface KeptState {
  readonly id: number;
  readonly requestId: string;
  readonly state: WorldState;
}

/** The states before the latest requests that changed something, up to a maximum number. */
export class History {
  #capacity: number;
  /** By the id of the request, in the order of the changes. */
  readonly #kept: Map<number, KeptState>;

  constructor(capacity: number, kept: Iterable<readonly [number, KeptState]> = []) {
    this.#capacity = capacity;
    this.#kept = new Map(kept);
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** Keeps fewer or more states; drops the oldest that are too many. */
  resize(capacity: number): void {
    this.#capacity = capacity;
    this.#dropOldest();
  }

  keep({ id, requestId }: Trace, state: WorldState): void {
    this.#kept.set(id, { id, requestId, state });
    this.#dropOldest();
  }

  /** An independent history with the same states. */
  copy(): History {
    return new History(this.#capacity, this.#kept);
  }

  /** Finds the state before a request by its id, a number, or its requestId. */
  find(request: number | string): KeptState | undefined {
    if (typeof request === 'number') return this.#kept.get(request);
    return this.list().find(({ requestId }) => requestId === request);
  }

  /** The kept states in the order of the changes. */
  list(): readonly KeptState[] {
    return [...this.#kept.values()];
  }

  #dropOldest(): void {
    for (const id of this.#kept.keys()) {
      if (this.#kept.size <= this.#capacity) return;
      this.#kept.delete(id);
    }
  }
}
