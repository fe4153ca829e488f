import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import type { Operation } from '../operations/lifecycle.ts';
import { ForkableMap } from '../primitives/forkable-map.ts';
import { Children } from './children.ts';
import { Collection } from './collection.ts';
import type { Entry } from './entry.ts';
import { Keywords } from './keywords.ts';
import { OrderedCollection } from './ordered-collection.ts';

/** The settings that the control API can change; replaced, never mutated. */
export interface Settings {
  readonly plan: string;
  readonly runtime: 'up' | 'down';
  readonly studio: boolean;
  readonly deleted: boolean;
}

export interface Credits {
  readonly allowance: number;
  readonly used: number;
  /** The end of the period in which these were used. */
  readonly resetsAt: string;
}

export interface Site {
  readonly id: string;
  readonly name: string;
  /** Maximum number of keywords of the site. */
  readonly keywordLimit: number;
}

/** Requests counted in a calendar month, `2026-04`, in UTC. */
export interface Usage {
  readonly month: string;
  readonly used: number;
}

/** A list of parents' children, by its name in saved states. */
export const childLists = ['messages', 'submissions', 'automations', 'clicks'] as const;
export type ChildList = (typeof childLists)[number];

/** The key of a friend in the collections. */
export const friendKey = (accountId: string, userId: string): string => `${accountId}/${userId}`;

/** The common parent of all projects in their collection. */
export const allProjects = 'projects';

type Stored = {
  readonly accounts: Collection;
  readonly configurations: Readonly<Record<ConfigurationResource, Collection>>;
  readonly friends: Collection;
  readonly conversations: Collection;
  readonly children: Readonly<Record<ChildList, Children>>;
  readonly keywords: Keywords;
  readonly projects: OrderedCollection;
  readonly documents: OrderedCollection;
  readonly operations: ForkableMap<Operation>;
};

/** An organization and its records, in memory. */
export class Organization {
  readonly id: string;
  readonly name: string;
  readonly credits: Credits;
  /** Replaced, never mutated: forks share it. */
  sites: ReadonlyMap<string, Site>;
  readonly stored: Stored;
  settings: Settings;
  usage: Usage;

  constructor(
    fixed: { id: string; name: string; credits: Credits; sites: ReadonlyMap<string, Site> },
    settings: Settings,
    usage: Usage,
    stored: Stored = emptyStore(),
  ) {
    this.id = fixed.id;
    this.name = fixed.name;
    this.credits = fixed.credits;
    this.sites = fixed.sites;
    this.settings = settings;
    this.usage = usage;
    this.stored = stored;
  }

  fork(): Organization {
    const { stored } = this;
    return new Organization(this, this.settings, this.usage, {
      accounts: stored.accounts.fork(),
      configurations: mapConfigurations((resource) => stored.configurations[resource].fork()),
      friends: stored.friends.fork(),
      conversations: stored.conversations.fork(),
      children: {
        messages: stored.children.messages.fork(),
        submissions: stored.children.submissions.fork(),
        automations: stored.children.automations.fork(),
        clicks: stored.children.clicks.fork(),
      },
      keywords: stored.keywords.fork(),
      projects: stored.projects.fork(),
      documents: stored.documents.fork(),
      operations: stored.operations.fork(),
    });
  }

  /** The number of an account in indexes and account scopes; undefined if the account does not exist. */
  accountNumber(accountId: string): number | undefined {
    return this.stored.accounts.get(accountId)?.account;
  }

  /**
   * The number of the account that a record names: 0 for none, which every key can read. An account that does not exist is
   * nobody's: no key that is restricted to accounts can read the record.
   */
  ownerNumber(accountId: unknown): number {
    return typeof accountId === 'string' ? (this.accountNumber(accountId) ?? -1) : 0;
  }

  /** The first account that data names and the organization does not have. */
  findUnknownAccount({ accountId, accountIds }: Readonly<Record<string, unknown>>): string | undefined {
    const named = [accountId, accountIds].flat().filter((id) => typeof id === 'string');
    return named.find((id) => this.accountNumber(id.toLowerCase()) === undefined);
  }

  /** The operations sorted by operationId, so that the order is always the same. */
  operations(): Operation[] {
    return [...this.stored.operations.values()].sort((a, b) => (a.operationId < b.operationId ? -1 : 1));
  }

  /** Frees the operationIds of running changes, as a restart does: their requests end in another world. */
  freeRunningOperations(): void {
    const { operations } = this.stored;
    for (const { operationId, state } of [...operations.values()])
      if (state === 'running') operations.delete(operationId);
  }

  friend(accountId: string, userId: string): Entry | undefined {
    return this.stored.friends.get(friendKey(accountId, userId));
  }
}

function mapConfigurations<T>(
  make: (resource: ConfigurationResource) => T,
): Record<ConfigurationResource, T> {
  return Object.fromEntries(configurationResources.map((resource) => [resource, make(resource)])) as Record<
    ConfigurationResource,
    T
  >;
}

function emptyStore(): Stored {
  return {
    accounts: Collection.empty(),
    configurations: mapConfigurations(() => Collection.empty()),
    friends: Collection.empty(),
    conversations: Collection.empty(),
    children: {
      messages: Children.empty(),
      submissions: Children.empty(),
      automations: Children.empty(),
      clicks: Children.empty(),
    },
    keywords: Keywords.empty(),
    projects: OrderedCollection.empty(),
    documents: OrderedCollection.empty(),
    operations: new ForkableMap(),
  };
}
