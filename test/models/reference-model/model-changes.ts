import { friendView, type KeyRow, type ModelWorld, recordView } from './model-world.ts';
import { getLabel, type Json, listReferences, type RecordReference, type Resource } from './resources.ts';
import { fresh, type ServerValues } from './server-values.ts';

/** A refusal: its status and code. */
export class RefusalError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** The result of an applied change. */
export interface Done {
  readonly result: Json;
  readonly resource: string;
  readonly recordId: string;
  /** What people call the record, as it is after the change. */
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A change that passed its checks. Only now are the values needed that the server chose. */
export type Write = (observed: ServerValues | undefined) => Done;

const missing = (): RefusalError => new RefusalError(404, 'NOT_FOUND');

function need<T>(found: T | undefined): T {
  if (found === undefined) throw missing();
  return found;
}

function guard(change: Json, revision: string, label: string): void {
  if (change.expectedRevision !== revision || change.expectedLabel !== label) {
    throw new RefusalError(409, 'STALE_REVISION');
  }
}

/** Needs every record that data refers to. What the record referred to before may be gone by now (D62). */
function needNamed(
  world: ModelWorld,
  key: KeyRow,
  referred: readonly RecordReference[],
  before: readonly RecordReference[] = [],
): void {
  const had = new Set(before.map(([kind, id]) => `${kind} ${id}`));
  for (const [kind, id] of referred) {
    if (kind === 'accounts') needAccount(world, key, String(id));
    else if (!(had.has(`${kind} ${id}`) && isGone(world, kind, String(id))))
      need(world.record(key, kind, String(id)));
  }
}

function isGone(world: ModelWorld, kind: Resource, id: string): boolean {
  return world.database.record.findFirst({ where: { id: { equals: id } } })?.resource !== kind;
}

export function needAccount(world: ModelWorld, key: KeyRow, id: string): void {
  const account = world.database.account.findFirst({ where: { id: { equals: id } } });
  if (account === null || !world.sees(key, id)) throw missing();
}

/** The checks of a valid change, and its write. */
export function plan(world: ModelWorld, key: KeyRow, change: Json, operationId: string): Write {
  const action = String(change.action);
  if (action === 'delete-configuration') return remove(world, key, change);
  if (action === 'update-friend') return updateFriend(world, key, change);
  if (action === 'set-friend-tags') return setTags(world, key, change, operationId);
  if (action === 'enroll-scenario') return enroll(world, key, change, operationId);
  const [verb, ...rest] = action.split('-');
  const resource = rest.join('-') as Resource;
  return verb === 'create' ? create(world, key, resource, change) : update(world, key, resource, change);
}

function create(world: ModelWorld, key: KeyRow, resource: Resource, { data }: Json): Write {
  needNamed(world, key, listReferences(resource, data as Json));
  return (observed) => {
    const row = world.database.record.create({
      id: fresh(world.database, observed, 'id'),
      order: world.next(),
      resource,
      revision: fresh(world.database, observed, 'revision'),
      data: JSON.stringify(data),
      createdAt: world.moment,
      updatedAt: world.moment,
    });
    const name = getLabel(resource, data as Json);
    return { result: recordView(row), resource, recordId: row.id, name, before: null, after: row.revision };
  };
}

function update(world: ModelWorld, key: KeyRow, resource: Resource, change: Json): Write {
  const { id, revision: before, data: held } = need(world.record(key, resource, String(change.id)));
  const had = JSON.parse(held) as Json;
  guard(change, before, getLabel(resource, had));
  needNamed(world, key, listReferences(resource, change.data as Json), listReferences(resource, had));
  return (observed) => {
    const after = fresh(world.database, observed, 'revision');
    const data = { revision: after, data: JSON.stringify(change.data), updatedAt: world.moment };
    const row = world.database.record.update({ where: { id: { equals: id } }, data, strict: true });
    const name = getLabel(resource, change.data as Json);
    return { result: recordView(row), resource, recordId: id, name, before, after };
  };
}

function remove(world: ModelWorld, key: KeyRow, change: Json): Write {
  const resource = change.resource as Resource;
  const { id, revision: before, data } = need(world.record(key, resource, String(change.id)));
  guard(change, before, getLabel(resource, JSON.parse(data) as Json));
  return () => {
    world.database.record.delete({ where: { id: { equals: id } } });
    const name = getLabel(resource, JSON.parse(data) as Json);
    return { result: { id, deleted: true }, resource, recordId: id, name, before, after: null };
  };
}

function storeFriend(world: ModelWorld, id: string, before: string, changed: object): Write {
  return (observed) => {
    const after = fresh(world.database, observed, 'revision');
    const data = { ...changed, revision: after, updatedAt: world.moment };
    const row = world.database.friend.update({ where: { id: { equals: id } }, data, strict: true });
    const { displayName: name } = row;
    return { result: friendView(row), resource: 'friends', recordId: id, name, before, after };
  };
}

function updateFriend(world: ModelWorld, key: KeyRow, change: Json): Write {
  const friend = need(world.friend(key, String(change.accountId), String(change.userId)));
  guard(change, friend.revision, friend.displayName);
  return storeFriend(world, friend.id, friend.revision, change.data as object);
}

function setTags(world: ModelWorld, key: KeyRow, change: Json, operationId: string): Write {
  const friend = need(world.friend(key, String(change.accountId), String(change.userId)));
  const tagIds = [...new Set(change.tagIds as string[])];
  guard(change, friend.revision, friend.displayName);
  const asTags = (ids: readonly string[]): RecordReference[] => ids.map((id) => ['tags', id]);
  needNamed(world, key, asTags(tagIds), asTags(JSON.parse(friend.tagIds) as string[]));
  return (observed) => {
    const had = JSON.parse(friend.tagIds) as string[];
    const addedTagIds = tagIds.filter((tagId) => !had.includes(tagId));
    const removedTagIds = had.filter((tagId) => !tagIds.includes(tagId));
    if (addedTagIds.length + removedTagIds.length > 0) {
      notify(world, friend, { kind: 'friend-tags-changed', operationId, addedTagIds, removedTagIds });
    }
    return storeFriend(world, friend.id, friend.revision, { tagIds: JSON.stringify(tagIds) })(observed);
  };
}

function enroll(world: ModelWorld, key: KeyRow, change: Json, operationId: string): Write {
  const friend = need(world.friend(key, String(change.accountId), String(change.userId)));
  const scenario = need(world.record(key, 'scenarios', String(change.scenarioId)));
  const { accountId, userId, id: parent } = friend;
  if (((JSON.parse(scenario.data) as Json).accountId ?? accountId) !== accountId) throw missing();
  return (observed) => {
    const running = world.database.child
      .findMany({ where: { list: { equals: 'automations' }, parent: { equals: parent } } })
      .map((row): Json => ({ id: row.id, accountId, userId, ...JSON.parse(row.fields) }))
      .find(({ scenarioId, status }) => scenarioId === scenario.id && status === 'active');
    const done = (result: Json): Done => ({
      result,
      resource: 'friend-automations',
      recordId: String(result.id),
      name: friend.displayName,
      before: null,
      after: null,
    });
    if (running !== undefined) return done(running);
    const fields = {
      scenarioId: scenario.id,
      scenarioName: String((JSON.parse(scenario.data) as Json).name),
      status: 'active',
      nextStep: 0,
      enrolledAt: world.moment,
    };
    const id = fresh(world.database, observed, 'id');
    const row = { id, order: world.next(), list: 'automations', parent, at: world.moment };
    world.database.child.create({ ...row, fields: JSON.stringify(fields) });
    const entered = { kind: 'scenario-entered', operationId, scenarioId: scenario.id, automationId: id };
    notify(world, friend, entered);
    return done({ id, accountId, userId, ...fields });
  };
}

function notify(world: ModelWorld, friend: { accountId: string; userId: string }, what: Json): void {
  const { accountId, userId } = friend;
  const entry = JSON.stringify({ at: world.moment, accountId, userId, ...what });
  world.database.notification.create({ order: world.next(), entry });
}
