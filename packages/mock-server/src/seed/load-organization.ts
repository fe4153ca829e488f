import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import { createFields } from '../apply/configurations.ts';
import { createFriendFields } from '../apply/friends.ts';
import { checkReferences, type IsKept, ReferenceNotFound } from '../apply/references.ts';
import { getNextMonthStart, toIsoString } from '../primitives/clock.ts';
import { deriveUuid } from '../primitives/digest.ts';
import type { ForkableMap } from '../primitives/forkable-map.ts';
import { Entry } from '../records/entry.ts';
import { createKey, type Key } from '../records/key.ts';
import { allProjects, type ChildList, friendKey, Organization } from '../records/organization.ts';
import type { SeedFriend, SeedOrganization } from './schema.ts';
import { seedErrorAt } from './seed-error.ts';
import type { StateOrganization } from './state-schema.ts';

const firstMoment = Date.parse('2025-01-01T00:00:00.000Z');
/** Between records of a seed without a time. */
const millisecondsApart = 60_000;

interface Timed {
  readonly at: string;
  readonly index: number;
}

/** Adds index and time to items; records without a time keep their order. */
function addTimes<T>(items: readonly T[], getTime: (item: T) => string | undefined): (Timed & { item: T })[] {
  return items.map((item, index) => ({
    item,
    index,
    at: getTime(item) ?? toIsoString(firstMoment + index * millisecondsApart),
  }));
}

const byTime = (a: Timed, b: Timed): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

/** An organization of a seed or of a saved state. */
export type LoadedOrganization = SeedOrganization & Partial<Pick<StateOrganization, 'conversations'>>;

/** Loads an organization from a document; throws a `SeedError` with the path of the problem. */
export class OrganizationLoader {
  readonly #source: LoadedOrganization;
  readonly #path: readonly PropertyKey[];
  readonly #isSavedState: boolean;
  readonly #built: Organization;
  readonly #givenIds = new Set<string>();

  /** In a saved state, arrays are in the order of arrival; in a seed, times decide. `now` is the time of the clock. */
  constructor(source: LoadedOrganization, path: readonly PropertyKey[], now: number, isSavedState: boolean) {
    this.#source = source;
    this.#path = path;
    this.#isSavedState = isSavedState;
    const { id, name = id, plan, runtime, studio, deleted } = source;
    const { resetsAt = toIsoString(getNextMonthStart(now)), ...amounts } = source.credits;
    const credits = { ...amounts, resetsAt };
    const sites = new Map(
      source.sites.map((site) => [
        site.id,
        { id: site.id, name: site.name ?? site.id, keywordLimit: site.keywordLimit },
      ]),
    );
    this.#built = new Organization(
      { id, name, credits, sites },
      { plan, runtime, studio, deleted },
      { month: '', used: 0 },
    );
  }

  load(): Organization {
    this.#loadAccounts();
    for (const resource of configurationResources) this.#loadConfigurations(resource);
    this.#loadFriends();
    // In a saved state, records may refer to deleted records.
    if (!this.#isSavedState) this.#checkReferences();
    this.#loadSubmissions();
    this.#loadClicks();
    this.#loadKeywords();
    this.#loadProjects();
    return this.#built;
  }

  loadKeys(keys: ForkableMap<Key>): void {
    this.#source.keys.forEach((key, i) => {
      if (keys.get(key.key) !== undefined) this.#fail('Duplicate key.', 'keys', i, 'key');
      keys.set(key.key, createKey(this.#built, { ...key, organizationId: this.#built.id }));
    });
  }

  #inOrder<T>(items: readonly T[], getTime: (item: T) => string | undefined): (Timed & { item: T })[] {
    const found = addTimes(items, getTime);
    return this.#isSavedState ? found : found.sort(byTime);
  }

  #fail(message: string, ...path: PropertyKey[]): never {
    throw seedErrorAt([...this.#path, ...path], message);
  }

  #resolveId(given: string | undefined, ...path: PropertyKey[]): string {
    return given ?? deriveUuid([this.#source.id, ...path].join('/'));
  }

  /** Refuses the id of a child that another child has, also of another parent: the data file names children by it. */
  #requireNewId(list: ChildList | 'documents', given: string | undefined, ...path: PropertyKey[]): void {
    if (given === undefined || this.#isSavedState) return;
    const key = `${list} ${given}`;
    if (this.#givenIds.has(key)) this.#fail(`Duplicate id "${given}".`, ...path, 'id');
    this.#givenIds.add(key);
  }

  /** The number of an account of this organization. */
  #account(accountId: string, ...path: PropertyKey[]): number {
    return (
      this.#built.accountNumber(accountId) ??
      this.#fail(`Unknown account "${accountId}". Add it to accounts.`, ...path)
    );
  }

  #loadAccounts(): void {
    const { accounts } = this.#built.stored;
    this.#inOrder(this.#source.accounts, ({ createdAt }) => createdAt).forEach(({ item, index, at }, i) => {
      const id = this.#resolveId(item.id, 'accounts', index);
      if (accounts.get(id) !== undefined) this.#fail(`Duplicate id "${id}".`, 'accounts', index, 'id');
      accounts.put(new Entry(i + 1, i + 1, 1, id, { id, name: item.name, createdAt: at }));
    });
  }

  #loadConfigurations(resource: ConfigurationResource): void {
    const collection = this.#built.stored.configurations[resource];
    const items: readonly SeedOrganization[ConfigurationResource][number][] = this.#source[resource];
    this.#inOrder(items, ({ createdAt }) => createdAt).forEach(({ item, index, at }, i) => {
      const { id: given, createdAt, updatedAt = at, version = 1, ...rest } = item;
      const { submissions, clicks, ...data }: Record<string, unknown> = rest;
      const id = this.#resolveId(given, resource, index);
      if (collection.get(id) !== undefined) this.#fail(`Duplicate id "${id}".`, resource, index, 'id');
      const { accountId } = data;
      // In a saved state, the account need not exist: a described server may accept any.
      if (typeof accountId === 'string' && !this.#isSavedState)
        this.#account(accountId, resource, index, 'accountId');
      const account = this.#built.ownerNumber(accountId);
      const fields = createFields(resource, id, data, { createdAt: at, updatedAt });
      collection.put(new Entry(i + 1, account, version, id, fields));
    });
  }

  #loadFriends(): void {
    const { friends, conversations, children } = this.#built.stored;
    const withMessages: { friend: SeedFriend; account: number; text: string; at: string }[] = [];
    this.#inOrder(this.#source.friends, ({ createdAt }) => createdAt).forEach(({ item, index, at }, i) => {
      const { accountId, userId } = item;
      const account = this.#account(accountId, 'friends', index, 'accountId');
      const id = friendKey(accountId, userId);
      if (friends.get(id) !== undefined) this.#fail(`Duplicate friend "${id}".`, 'friends', index, 'userId');
      const fields = createFriendFields(item, { createdAt: at, updatedAt: item.updatedAt ?? at });
      friends.put(new Entry(i + 1, account, item.version ?? 1, id, fields));
      this.#inOrder(item.messages, ({ sentAt }) => sentAt).forEach(
        ({ item: message, index: n, at: sentAt }) => {
          this.#requireNewId('messages', message.id, 'friends', index, 'messages', n);
          const messageId = this.#resolveId(message.id, 'friends', id, 'messages', n);
          const { direction, text } = message;
          const sequence = children.messages.nextSequence;
          const record = { id: messageId, accountId, userId, direction, text, sentAt };
          children.messages.put(id, new Entry(sequence, account, 1, messageId, record));
        },
      );
      this.#loadAutomations(item, index, account);
      const last = children.messages.newest(id, 1)[0]?.fields;
      if (last !== undefined) {
        withMessages.push({ friend: item, account, text: last.text as string, at: last.sentAt as string });
      }
    });
    const order = new Map(this.#source.conversations?.map((id, position) => [id, position]));
    const positionOf = ({ item: { friend } }: { item: { friend: SeedFriend } }): number =>
      order.get(friendKey(friend.accountId, friend.userId)) ?? -1;
    addTimes(withMessages, ({ at }) => at)
      .sort((a, b) => positionOf(a) - positionOf(b) || byTime(a, b))
      .forEach(({ item: { friend, account, text, at } }, i) => {
        const { accountId, userId } = friend;
        const fields = { accountId, userId, lastMessageText: text, lastMessageAt: at };
        conversations.put(new Entry(i + 1, account, 1, friendKey(accountId, userId), fields));
      });
  }

  #loadAutomations({ accountId, userId, automations }: SeedFriend, friend: number, account: number): void {
    const { children, configurations } = this.#built.stored;
    const parent = friendKey(accountId, userId);
    this.#inOrder(automations, ({ enrolledAt }) => enrolledAt).forEach(({ item, index, at: enrolledAt }) => {
      const { scenarioId, status, nextStep } = item;
      const scenarioName = item.scenarioName ?? configurations.scenarios.get(scenarioId)?.label;
      if (scenarioName === undefined) {
        this.#fail(
          `Unknown scenario "${scenarioId}".`,
          'friends',
          friend,
          'automations',
          index,
          'scenarioId',
        );
      }
      this.#requireNewId('automations', item.id, 'friends', friend, 'automations', index);
      const id = this.#resolveId(item.id, 'friends', parent, 'automations', index);
      const fields = { id, accountId, userId, scenarioId, scenarioName, status, nextStep, enrolledAt };
      children.automations.put(parent, new Entry(children.automations.nextSequence, account, 1, id, fields));
    });
  }

  #loadSubmissions(): void {
    const { submissions } = this.#built.stored.children;
    this.#source.forms.forEach((form, f) => {
      const formId = this.#resolveId(form.id, 'forms', f);
      this.#inOrder(form.submissions, ({ submittedAt }) => submittedAt).forEach(
        ({ item, index, at: submittedAt }) => {
          const path = ['forms', f, 'submissions', index] as const;
          const account = this.#account(item.accountId, ...path, 'accountId');
          this.#requireNewId('submissions', item.id, ...path);
          const id = this.#resolveId(item.id, ...path);
          const { accountId, userId, values } = item;
          const fields = { id, formId, accountId, userId, values, submittedAt };
          submissions.put(formId, new Entry(submissions.nextSequence, account, 1, id, fields));
        },
      );
    });
  }

  #loadClicks(): void {
    const { clicks } = this.#built.stored.children;
    this.#source.links.forEach((link, l) => {
      const linkId = this.#resolveId(link.id, 'links', l);
      this.#inOrder(link.clicks, ({ clickedAt }) => clickedAt).forEach(({ item, index, at: clickedAt }) => {
        const path = ['links', l, 'clicks', index] as const;
        const { accountId, userId } = item;
        const account = accountId === null ? 0 : this.#account(accountId, ...path, 'accountId');
        this.#requireNewId('clicks', item.id, ...path);
        const id = this.#resolveId(item.id, ...path);
        const fields = { id, linkId, accountId, userId, clickedAt };
        clicks.put(linkId, new Entry(clicks.nextSequence, account, 1, id, fields));
      });
    });
  }

  /** Checks that every record that a seed refers to exists, or is listed as missing. */
  #checkReferences(): void {
    const caller = { organization: this.#built, key: { accountScope: undefined } };
    const missing = new Set(this.#source.missingIds);
    const check = (path: PropertyKey[], run: () => void): void => {
      try {
        run();
      } catch (thrown) {
        if (!(thrown instanceof ReferenceNotFound)) throw thrown;
        this.#fail(`No ${thrown.recordName} with id ${thrown.id}.`, ...path, ...thrown.path);
      }
    };
    const isKept: IsKept = (_target, id) => missing.has(id);
    for (const resource of [...configurationResources, 'friends'] as const) {
      this.#source[resource].forEach((record, index) => {
        check([resource, index], () => checkReferences(caller, resource, record, [], isKept));
      });
    }
  }

  #loadKeywords(): void {
    for (const { id, keywords } of this.#source.sites) {
      for (const given of keywords) {
        const { keyword, group, addedAt } =
          typeof given === 'string' ? { keyword: given, group: null, addedAt: undefined } : given;
        const stored = { keyword, group: group || null, addedAt: addedAt ?? toIsoString(firstMoment) };
        this.#built.stored.keywords.add(id, stored);
      }
    }
  }

  #loadProjects(): void {
    const { projects, documents } = this.#built.stored;
    this.#source.projects.forEach(({ id: given, documents: ofProject, ...project }, p) => {
      const id = this.#resolveId(given, 'projects', p);
      if (projects.get(allProjects, id)) this.#fail(`Duplicate id "${id}".`, 'projects', p, 'id');
      projects.put(allProjects, id, { id, ...project });
      ofProject.forEach(({ id: ownId, ...document }, d) => {
        this.#requireNewId('documents', ownId, 'projects', p, 'documents', d);
        const documentId = this.#resolveId(ownId, 'projects', p, 'documents', d);
        documents.put(id, documentId, { id: documentId, ...document });
      });
    });
  }
}
