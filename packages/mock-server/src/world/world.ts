import type { ErrorCode } from '@orgchat/spec';
import type { EventLog } from '../events/event-log.ts';
import { Faults } from '../faults/faults.ts';
import type { AuditEntry, Notification } from '../generated/public-types.ts';
import { ForkableMap } from '../records/forkable-map.ts';
import type { Organization } from '../records/organization.ts';
import { Tree } from '../records/tree.ts';
import { RequestLog, type RequestLogOptions } from '../request-log/request-log.ts';
import type { Clock } from './clock.ts';
import type { Key } from './key.ts';
import { type MonthlyLimit, RateLimiter } from './request-limits.ts';
import type { SeededRandom } from './seeded-random.ts';

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
  /** What the request log keeps. */
  readonly requestLog: RequestLogOptions;
  /** The code that answers have for a code of the catalog. */
  readonly toServerCode: (code: ErrorCode) => string;
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
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  readonly audit: Tree<number, AuditEntry>;
  readonly notifications: Tree<number, Notification>;
  /** Set if changes are also stored elsewhere. */
  recorder: Recorder | undefined;

  /** Where events go; undefined for a world that no mock shows. */
  events: EventLog | undefined;

  constructor(parts: {
    rules: Rules;
    plans: ReadonlyMap<string, Plan>;
    organizations: ReadonlyMap<string, Organization>;
    keys?: ForkableMap<Key>;
    clock: Clock;
    random: SeededRandom;
    limiter?: RateLimiter;
    monthlyLimit?: MonthlyLimit;
    audit?: Tree<number, AuditEntry>;
    notifications?: Tree<number, Notification>;
  }) {
    this.rules = parts.rules;
    this.plans = parts.plans;
    this.organizations = parts.organizations;
    this.keys = parts.keys ?? new ForkableMap<Key>();
    this.clock = parts.clock;
    this.random = parts.random;
    this.faults = new Faults(parts.random.seed);
    this.limiter = parts.limiter ?? new RateLimiter(parts.rules.perMinute);
    this.monthlyLimit = parts.monthlyLimit ?? parts.rules.monthly;
    this.requestLog = new RequestLog(parts.rules.requestLog);
    this.audit = parts.audit ?? Tree.ofNumbers<AuditEntry>();
    this.notifications = parts.notifications ?? Tree.ofNumbers<Notification>();
  }

  /** Says where the events of this world go from now on. */
  sendEventsTo(events: EventLog | undefined): void {
    this.events = events;
    this.faults.events = events;
  }

  /** An independent copy with an empty request log and no armed faults. */
  fork(): World {
    const organizations = new Map<string, Organization>();
    for (const [id, organization] of this.organizations) organizations.set(id, organization.fork());
    return new World({
      rules: this.rules,
      plans: this.plans,
      organizations,
      keys: this.keys.fork(),
      clock: this.clock.fork(),
      random: this.random.fork(),
      limiter: this.limiter.fork(),
      monthlyLimit: this.monthlyLimit,
      audit: this.audit.fork(),
      notifications: this.notifications.fork(),
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
