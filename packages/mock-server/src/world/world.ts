import type { DescribedServer } from '../described-server/resolve-description.ts';
import type { EventLog } from '../events/event-log.ts';
import { Faults } from '../faults/faults.ts';
import type { AuditEntry, Notification } from '../generated/public-types.ts';
import type { Clock } from '../primitives/clock.ts';
import { ForkableMap } from '../primitives/forkable-map.ts';
import type { SeededRandom } from '../primitives/seeded-random.ts';
import type { Key } from '../records/key.ts';
import type { OnDelete } from '../records/on-delete.ts';
import type { Organization } from '../records/organization.ts';
import { Tree } from '../records/tree.ts';
import { RequestLog, type RequestLogOptions } from '../request-log/request-log.ts';
import type { Trace } from '../request-log/trace.ts';
import { History, type WorldState } from './history.ts';
import { type MonthlyLimit, RateLimiter } from './request-limits.ts';

export interface Plan {
  readonly apiAccess: boolean;
  /** Requests per calendar month. */
  readonly monthlyRequests: number;
  /** Keywords on all sites together; undefined if the plan sets no limit. */
  readonly keywords?: number | undefined;
}

/** Settings of a mock that do not depend on its state. */
export interface Rules {
  /** The initial limit of requests per minute per key; undefined if not limited. */
  readonly perMinute: number | undefined;
  /** The initial limit of requests per month. */
  readonly monthly: MonthlyLimit;
  /** The initial number of states that the history keeps; 0 for no history. */
  readonly history: number;
  /** What becomes of references to a deleted record if the seed does not say it. */
  readonly onDelete: OnDelete;
  /** Whether a body must have the content type JSON. */
  readonly requiresJson: boolean;
  /** What the request log keeps. */
  readonly requestLog: RequestLogOptions;
  /** The server that the mock stands for. */
  readonly server: DescribedServer;
  /** Milliseconds that only grow. */
  readonly monotonicNow: () => number;
  /** Whether the caller passed that clock. */
  readonly hasOwnClock: boolean;
  /** Gives every request its own identifier. */
  readonly nextRequestId: () => string;
  /** Called with errors in the mock itself. */
  readonly onError: (error: unknown) => void;
}

/** Called for each piece of state that changes; the value is undefined if the piece was removed. */
export type Recorder = (kind: string, organizationId: string, key: string, value: unknown) => void;

/**
 * The whole state of one mock or sandbox while it runs, in memory. A fork copies only a few dozen root objects; the
 * records are shared until they change.
 */
export class World {
  readonly rules: Rules;
  readonly plans: ReadonlyMap<string, Plan>;
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly keys: ForkableMap<Key>;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly limiter: RateLimiter;
  /** Requests per month: the plan's number, another number, or not limited. */
  monthlyLimit: MonthlyLimit;
  /** What becomes of references to a deleted record. */
  onDelete: OnDelete;
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  /** The records that a fault deleted as a rival, by their ids, with the id of the fault. */
  readonly rivalDeletions: ForkableMap<string>;
  readonly audit: Tree<number, AuditEntry>;
  readonly notifications: Tree<number, Notification>;
  /** The states before the latest changes; undefined if they are not kept, so that a change costs nothing more. */
  history: History | undefined;
  /** Set if changes are also stored elsewhere. */
  recorder: Recorder | undefined;

  /** Where events go; undefined for a world that no mock shows. */
  events: EventLog | undefined;

  constructor(parts: {
    rules: Rules;
    plans: ReadonlyMap<string, Plan>;
    organizations: ReadonlyMap<string, Organization>;
    keys?: ForkableMap<Key>;
    rivalDeletions?: ForkableMap<string>;
    clock: Clock;
    random: SeededRandom;
    limiter?: RateLimiter;
    monthlyLimit?: MonthlyLimit;
    onDelete?: OnDelete | undefined;
    audit?: Tree<number, AuditEntry>;
    notifications?: Tree<number, Notification>;
    faults?: Faults;
    requestLog?: RequestLog;
    history?: History | undefined;
  }) {
    this.rules = parts.rules;
    this.plans = parts.plans;
    this.organizations = parts.organizations;
    this.keys = parts.keys ?? new ForkableMap<Key>();
    this.rivalDeletions = parts.rivalDeletions ?? new ForkableMap<string>();
    this.clock = parts.clock;
    this.random = parts.random;
    this.faults = parts.faults ?? new Faults(parts.random.seed);
    this.limiter = parts.limiter ?? new RateLimiter(parts.rules.perMinute);
    this.monthlyLimit = parts.monthlyLimit ?? parts.rules.monthly;
    this.onDelete = parts.onDelete ?? parts.rules.onDelete;
    this.requestLog = parts.requestLog ?? new RequestLog(parts.rules.requestLog);
    this.audit = parts.audit ?? Tree.ofNumbers<AuditEntry>();
    this.notifications = parts.notifications ?? Tree.ofNumbers<Notification>();
    this.history = 'history' in parts ? parts.history : createHistory(parts.rules.history);
  }

  /** Says where the events of this world go from now on. */
  sendEventsTo(events: EventLog | undefined): void {
    this.events = events;
    this.faults.events = events;
  }

  /** An independent copy with an empty request log and an empty history, and no armed faults. */
  fork(): World {
    return new World({
      rules: this.rules,
      plans: this.plans,
      ...forkState(this),
      clock: this.clock.fork(),
      limiter: this.limiter.fork(),
      monthlyLimit: this.monthlyLimit,
      onDelete: this.onDelete,
      history: createHistory(this.historySize),
    });
  }

  /** The number of states that the history keeps; 0 without a history. */
  get historySize(): number {
    return this.history?.capacity ?? 0;
  }

  set historySize(size: number) {
    if (size > 0 && this.history !== undefined) this.history.resize(size);
    else this.history = createHistory(size);
  }

  /** A copy of the state, which stays as it is when this world changes. */
  copyState(): WorldState {
    return forkState(this);
  }

  /** Keeps the state before the first change of a request, if there is a history. */
  keepState(trace: Trace): void {
    if (this.history === undefined || trace.isKept) return;
    trace.change.isKept = true;
    this.history.keep(trace, forkState(this));
  }

  /** This world with another state: clock, limits, faults and request log are the same objects. */
  withState(state: WorldState): World {
    const { rules, plans, clock, limiter, monthlyLimit, onDelete, faults, requestLog } = this;
    const history = this.history?.copy();
    return new World({
      ...forkState(state),
      ...{ rules, plans, clock, limiter, monthlyLimit, onDelete, faults, requestLog, history },
    });
  }

  /** An independent world with another state, and with the time and the limits of this one. */
  branch(state: WorldState): World {
    return new World({
      rules: this.rules,
      plans: this.plans,
      ...forkState(state),
      clock: this.clock.fork(),
      limiter: new RateLimiter(this.limiter.perMinute),
      monthlyLimit: this.monthlyLimit,
      onDelete: this.onDelete,
      history: createHistory(this.historySize),
    });
  }

  /** The keys sorted by their text, so that the order is always the same. */
  listKeys(): Key[] {
    return [...this.keys.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** The organization that the control API works on: the first of the seed. */
  get mainOrganization(): Organization {
    const [first] = this.organizations.values();
    if (first === undefined) throw new Error('A world has at least one organization.');
    return first;
  }
}

const createHistory = (size: number): History | undefined => (size === 0 ? undefined : new History(size));

/** An independent copy of a state, in time that does not depend on the number of records. */
function forkState({
  organizations,
  keys,
  rivalDeletions,
  random,
  audit,
  notifications,
}: WorldState): WorldState {
  return {
    organizations: new Map(Array.from(organizations, ([id, organization]) => [id, organization.fork()])),
    keys: keys.fork(),
    rivalDeletions: rivalDeletions.fork(),
    random: random.fork(),
    audit: audit.fork(),
    notifications: notifications.fork(),
  };
}
