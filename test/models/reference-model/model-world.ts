import { type Database, load, openDatabase, save, type Tables } from './model-database.ts';
import { getLabel, type Json, type Resource, resources } from './resources.ts';
import { organization, start } from './seed.ts';

/** The rules of a world, which do not depend on its state. */
export interface Limits {
  readonly perMinute: number | undefined;
  readonly monthly: number | undefined;
}

export interface Settings {
  readonly plan: string;
  readonly runtime: 'up' | 'down';
  readonly deleted: boolean;
}

/** A world as it is in a saved state. */
export interface ModelState {
  readonly tables: Tables;
  readonly settings: Settings;
  readonly now: number;
  readonly order: number;
}

export type KeyRow = ReturnType<Database['key']['getAll']>[number];
export type RecordRow = ReturnType<Database['record']['getAll']>[number];
export type FriendRow = ReturnType<Database['friend']['getAll']>[number];

/** One organization in the model: tables, a clock, and a counter that gives the order of events. */
export class ModelWorld {
  database: Database;
  settings: Settings;
  now: number;
  #order: number;
  readonly limits: Limits;

  constructor(saved: ModelState, limits: Limits) {
    this.database = load(saved.tables);
    this.settings = saved.settings;
    this.now = saved.now;
    this.#order = saved.order;
    this.limits = limits;
  }

  static ofSeed(limits: Limits): ModelWorld {
    const empty = { tables: save(openDatabase()), now: start, order: 0 };
    const world = new ModelWorld(
      { ...empty, settings: { plan: 'business', runtime: 'up', deleted: false } },
      limits,
    );
    sow(world);
    return world;
  }

  save(): ModelState {
    return { tables: save(this.database), settings: this.settings, now: this.now, order: this.#order };
  }

  restore(saved: ModelState): void {
    this.database = load(saved.tables);
    this.settings = saved.settings;
    this.now = saved.now;
    this.#order = saved.order;
  }

  /** The next number of the counter. */
  next(): number {
    return ++this.#order;
  }

  get moment(): string {
    return new Date(this.now).toISOString();
  }

  key(secret: string): KeyRow | null {
    return this.database.key.findFirst({ where: { key: { equals: secret } } });
  }

  /** Whether the creator of a key may see an account. A record without an account is visible to all (D30). */
  sees(key: KeyRow, accountId: unknown): boolean {
    if (key.accountIds === null || accountId === null || accountId === undefined) return true;
    return (JSON.parse(key.accountIds) as unknown[]).includes(accountId);
  }

  /** A record by its ID, if it is of this resource and the key can read it. */
  record(key: KeyRow, resource: Resource, id: string): RecordRow | undefined {
    const found = this.database.record.findFirst({ where: { id: { equals: id.toLowerCase() } } });
    const visible =
      found?.resource === resource && this.sees(key, (JSON.parse(found.data) as Json).accountId);
    return visible ? found : undefined;
  }

  friend(key: KeyRow, accountId: string, userId: string): FriendRow | undefined {
    const id = `${accountId.toLowerCase()}/${userId}`;
    const found = this.database.friend.findFirst({ where: { id: { equals: id } } });
    return found !== null && this.sees(key, found.accountId) ? found : undefined;
  }
}

/** A record as it is read (D44). */
export function recordView(row: RecordRow): Json {
  const data = JSON.parse(row.data) as Json;
  return {
    id: row.id,
    revision: row.revision,
    label: getLabel(row.resource as Resource, data),
    ...data,
    ...(row.resource === 'broadcasts' && { status: 'draft' }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export function friendView(row: FriendRow): Json {
  const { id: _, order: __, tagIds, ...fields } = row;
  return { ...fields, label: row.displayName, tagIds: JSON.parse(tagIds) as string[] };
}

/** Writes the seed into the tables. The server chooses revisions, so they come from its first answers. */
function sow(world: ModelWorld): void {
  const { database } = world;
  for (const key of organization.keys) {
    database.key.create({
      key: key.key,
      name: key.name,
      scope: key.scope,
      revoked: false,
      suspended: false,
      editor: !('editor' in key),
      accountIds: 'accountIds' in key ? JSON.stringify(key.accountIds) : null,
    });
  }
  for (const { id, keywordLimit, keywords = [] } of organization.sites) {
    database.site.create({ id, keywordLimit });
    for (const kept of keywords) {
      database.keyword.create({ id: `${id} ${kept.keyword}`, order: world.next(), site: id, ...kept });
    }
  }
  for (const account of organization.accounts) database.account.create({ order: world.next(), ...account });
  for (const resource of resources) {
    const rows: readonly Json[] = resource in organization ? organization[resource as 'tags'] : [];
    for (const { id, createdAt, updatedAt, clicks, ...data } of rows) {
      database.record.create({
        id: String(id),
        order: world.next(),
        resource,
        revision: '',
        data: JSON.stringify(data),
        createdAt: String(createdAt),
        updatedAt: String(updatedAt),
      });
      for (const click of (clicks ?? []) as Json[]) sowChild(world, 'clicks', String(id), 'clickedAt', click);
    }
  }
  for (const { messages, automations, tagIds, ...friend } of organization.friends) {
    const id = `${friend.accountId}/${friend.userId}`;
    database.friend.create({
      ...friend,
      id,
      order: world.next(),
      revision: '',
      tagIds: JSON.stringify(tagIds),
    });
    for (const message of messages) sowChild(world, 'messages', id, 'sentAt', message);
    for (const automation of automations) sowChild(world, 'automations', id, 'enrolledAt', automation);
  }
}

function sowChild(world: ModelWorld, list: string, parent: string, time: string, fields: Json): void {
  const { id, ...others } = fields;
  world.database.child.create({
    id: String(id),
    order: world.next(),
    list,
    parent,
    at: String(fields[time]),
    fields: JSON.stringify(others),
  });
}
