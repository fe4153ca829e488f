import { createMock, type Mock, type SeedDocument, type ServerDescription } from '@orgchat/mock-server';
import { createOrganization } from './create-organization.ts';
import { learnMember } from './learn-member.ts';
import { type Axis, assumed } from './members/axes.ts';
import type { Member } from './members/members.ts';
import { retryAfterSeconds } from './members/present-errors.ts';
import type { Data, EventResource, Stored, StoredResource } from './server/organization.ts';
import { type Answer, keys } from './server/service.ts';
import type { StagedService } from './uses/staged-service.ts';

/* The twin of a member: a mock with the description that a check wrote of the member. */

/** What no description says, and what no check asks: there, a mock is as assumed. */
const unlearned = [
  ...(['times', 'nulls', 'extras', 'blocks', 'defaults', 'ids', 'retryAfter', 'notFound'] as const),
] satisfies readonly Axis[];

/** The twin of a member, by what a check with writes learns of the member. */
export async function createTwin({ name, choices }: Member): Promise<Member> {
  const { description } = await learnMember(choices, true);
  const own = Object.fromEntries(unlearned.map((axis) => [axis, assumed[axis]]));
  // Between the pages of a mock there are no empty ones.
  const pages = choices.pages === 'gaps' ? '20' : choices.pages;
  return { name: `the twin of ${name}`, choices: { ...choices, ...own, pages }, learned: description };
}

const withoutFields = (record: Data, names: readonly string[]): Data =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

const organization = createOrganization(assumed);

/** A seed with what every member stores at first. */
function createSeed(): SeedDocument {
  const { records, events } = organization;
  const lists = Object.fromEntries(
    Object.entries(records).map(([resource, stored]) => [
      resource,
      stored.map(
        ({ identity, data, createdAt, updatedAt }): Data => ({ ...identity, ...data, createdAt, updatedAt }),
      ),
    ]),
  ) as unknown as Record<StoredResource, readonly Data[]>;
  /** The events of a record, without what they have of it. */
  const listOf = (record: Data, resource: EventResource, keyOf: Readonly<Record<string, string>>): Data[] =>
    events[resource]
      .filter((event) => Object.entries(keyOf).every(([name, own]) => event[name] === record[own]))
      .map((event) => withoutFields(event, Object.keys(keyOf)));
  const ofFriend = { accountId: 'accountId', userId: 'userId' };
  const seeded = {
    ...lists,
    id: 'org_family',
    keys: [{ key: keys.write, name: 'Family', scope: 'write' }],
    accounts: events.accounts,
    forms: lists.forms.map((form) => ({
      ...form,
      submissions: listOf(form, 'form-submissions', { formId: 'id' }),
    })),
    links: lists.links.map((link) => ({ ...link, clicks: listOf(link, 'link-clicks', { linkId: 'id' }) })),
    friends: lists.friends.map((friend) => ({
      ...friend,
      messages: listOf(friend, 'messages', ofFriend),
      automations: listOf(friend, 'friend-automations', ofFriend),
    })),
  };
  return { organizations: [seeded] } as unknown as SeedDocument;
}

const seed = createSeed();

/** Reads a list of each resource whenever it is asked for. */
const readEach = <R extends string, T>(
  resources: Readonly<Record<R, unknown>>,
  read: (resource: R) => readonly T[],
): Readonly<Record<R, readonly T[]>> =>
  Object.defineProperties(
    {},
    Object.fromEntries(
      Object.keys(resources).map((resource) => [resource, { get: () => read(resource as R) }]),
    ),
  ) as Readonly<Record<R, readonly T[]>>;

const identityOf = (resource: StoredResource): readonly string[] =>
  resource === 'friends' ? ['accountId', 'userId'] : ['id'];
/** Fields of a record that are neither identity nor data. */
const stateFields = (resource: StoredResource): readonly string[] => [
  ...['revision', 'label', 'createdAt', 'updatedAt'],
  ...(resource === 'broadcasts' ? ['status'] : []),
];

/** A mock in place of a service of the family. */
export class Twin implements StagedService {
  readonly changes: unknown[] = [];
  readonly organization: StagedService['organization'];
  readonly #mock: Mock;
  /** What was read of the mock, by revision: a record that was not changed stays the same object. */
  readonly #known = new Map<string, Stored>();

  constructor(server: ServerDescription) {
    const mock = createMock({ server, seed, rateLimit: 'off' });
    // The control API lists the newest first.
    const list = (resource: StoredResource | EventResource): readonly Data[] =>
      mock.records({ resource, limit: 1_000 }).records.toReversed();
    this.#mock = mock;
    this.organization = {
      records: readEach(organization.records, (resource) =>
        list(resource).map((record) => this.#toStored(resource, record)),
      ),
      events: readEach(organization.events, list),
    };
  }

  set limited(times: number) {
    this.#mock.faults.arm({ effect: 'respond', status: 429, retryAfter: retryAfterSeconds, times });
  }

  async answer(method: string, path: string, key: string, text: string): Promise<Answer> {
    if (path === '/chat/changes') this.changes.push(text);
    const response = await this.#mock.fetch(`${this.#mock.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: text }),
    });
    const { 'content-length': _, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, body: await response.json(), headers };
  }

  #toStored(resource: StoredResource, record: Data): Stored {
    const { revision, label, createdAt, updatedAt } = record as Data & Omit<Stored, 'identity' | 'data'>;
    const known = this.#known.get(revision);
    if (known !== undefined) return known;
    const names = identityOf(resource);
    const identity = Object.fromEntries(names.map((name) => [name, String(record[name])]));
    const data = withoutFields(record, [...names, ...stateFields(resource)]);
    const stored = { identity, data, revision, label, createdAt, updatedAt };
    this.#known.set(revision, stored);
    return stored;
  }
}
