import type { ErrorCode } from '@orgchat/spec';
import type { Chance } from './chance.ts';
import type { Clock } from './clock.ts';
import { Faults } from './faults/faults.ts';
import { Journal } from './journal/journal.ts';
import { Limiter } from './limiter.ts';
import type { Sight } from './store/collection.ts';
import { Keyed } from './store/keyed.ts';
import type { Organization } from './store/organization.ts';
import { Tree } from './store/tree.ts';

export interface Plan {
  readonly apiAccess: boolean;
  /** Requests a calendar month. */
  readonly monthlyRequests: number;
  /** Keywords on all sites together; undefined where the plan sets no number. */
  readonly keywords?: number | undefined;
}

/** An API key with what is known of its creator; replaced, never mutated. */
export interface Key {
  readonly key: string;
  readonly name: string;
  readonly organizationId: string;
  readonly scope: 'read' | 'write';
  readonly revoked: boolean;
  /** The creator is suspended, or no longer a member. */
  readonly suspended: boolean;
  /** The creator may edit. */
  readonly editor: boolean;
  /** The accounts assigned to the creator; null for all of them. */
  readonly accountIds: readonly string[] | null;
  /** The key as it may be shown. */
  readonly masked: string;
  /** The accounts as numbers, with 0 for what belongs to every account. */
  readonly sight: Sight;
}

export interface AuditEntry {
  readonly id: number;
  readonly at: string;
  readonly requestId: string;
  readonly organizationId: string;
  readonly operationId: string;
  readonly key: string;
  readonly keyName: string;
  readonly action: string;
  readonly resource: string;
  readonly recordId: string;
  readonly revisionBefore: string | null;
  readonly revisionAfter: string | null;
}

export interface Notification {
  readonly id: number;
  readonly at: string;
  readonly kind: 'friend-tags-changed' | 'scenario-entered';
  readonly organizationId: string;
  readonly operationId: string;
  readonly accountId: string;
  readonly userId: string;
  /** Of a change of tags. */
  readonly addedTagIds?: readonly string[];
  readonly removedTagIds?: readonly string[];
  /** Of an enrolment. */
  readonly scenarioId?: string;
  readonly automationId?: string;
}

/** What holds for a mock whatever its state: given when it is made. */
export interface Rules {
  /** Requests a minute of a key; undefined where not limited. */
  readonly perMinute: number | undefined;
  /** Requests a month: the plan's, another number, or not limited. */
  readonly monthly: number | 'plan' | 'off';
  /** Entries the journal keeps. */
  readonly journalSize: number;
  /** The code that answers have for one of the catalogue. */
  readonly codeOf: (code: ErrorCode) => string;
  /** Gives every request its own identifier. */
  readonly nextRequestId: () => string;
  /** Told of what should never happen: an error in the mock itself. */
  readonly onError: (error: unknown) => void;
}

/** Told of each piece of state that changes; without a value, of its removal. */
export type Recorder = (kind: string, organizationId: string, key: string, value: unknown) => void;

/** All there is in one sandbox. Forked in the time it takes to copy its few dozen roots. */
export class World {
  readonly rules: Rules;
  readonly plans: ReadonlyMap<string, Plan>;
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly keys: Keyed<Key>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly limiter: Limiter;
  readonly faults = new Faults();
  readonly journal: Journal;
  readonly audit: Tree<number, AuditEntry>;
  readonly notifications: Tree<number, Notification>;
  /** Set where the state is kept somewhere else too. */
  recorder: Recorder | undefined;

  constructor(parts: {
    rules: Rules;
    plans: ReadonlyMap<string, Plan>;
    organizations: ReadonlyMap<string, Organization>;
    keys?: Keyed<Key>;
    clock: Clock;
    chance: Chance;
    limiter?: Limiter;
    audit?: Tree<number, AuditEntry>;
    notifications?: Tree<number, Notification>;
  }) {
    this.rules = parts.rules;
    this.plans = parts.plans;
    this.organizations = parts.organizations;
    this.keys = parts.keys ?? new Keyed<Key>();
    this.clock = parts.clock;
    this.chance = parts.chance;
    this.limiter = parts.limiter ?? new Limiter(parts.rules.perMinute);
    this.journal = new Journal(parts.rules.journalSize);
    this.audit = parts.audit ?? Tree.ofNumbers<AuditEntry>();
    this.notifications = parts.notifications ?? Tree.ofNumbers<Notification>();
  }

  /** A world of its own that begins as this one is, with nothing in its journal and no fault armed. */
  fork(): World {
    const organizations = new Map<string, Organization>();
    for (const [id, organization] of this.organizations) organizations.set(id, organization.fork());
    return new World({
      rules: this.rules,
      plans: this.plans,
      organizations,
      keys: this.keys.fork(),
      clock: this.clock.fork(),
      chance: this.chance.fork(),
      limiter: this.limiter.fork(),
      audit: this.audit.fork(),
      notifications: this.notifications.fork(),
    });
  }

  /** The keys by their text, so that their order follows from what they are. */
  listKeys(): Key[] {
    return [...this.keys.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** The organization the control API speaks of: the first of the seed. */
  get mainOrganization(): Organization {
    const [first] = this.organizations.values();
    if (first === undefined) throw new Error('A world has at least one organization.');
    return first;
  }

  /** The month's limit of an organization: the number in force, and what `/me` reports. */
  monthlyLimit(organization: Organization): { readonly enforced: number; readonly reported: number } {
    const ofPlan = this.plans.get(organization.settings.plan)?.monthlyRequests ?? 0;
    const { monthly } = this.rules;
    if (monthly === 'off') return { enforced: Number.POSITIVE_INFINITY, reported: ofPlan };
    const number = monthly === 'plan' ? ofPlan : monthly;
    return { enforced: number, reported: number };
  }
}
