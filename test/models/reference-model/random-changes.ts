import type { ModelWorld } from './model-world.ts';
import { type Pick, withReferences } from './random-data.ts';
import { getLabel, type Json, type Resource } from './resources.ts';
import { accountIds } from './seed.ts';
import type { Session } from './session.ts';
import type { Guard, Intent } from './steps.ts';

const nowhere = '99999999-0000-4000-8000-000000000000';

/** The n-th existing value; sometimes one that does not exist. */
export function pickExisting<T>(values: readonly T[], n: number): T | undefined {
  return n % 11 === 10 ? undefined : values[n % values.length];
}

/** Refers to existing records of the model, in lower or upper case. */
export function picking({ database }: ModelWorld): Pick {
  return (kind, n) => {
    const ids =
      kind === 'accounts'
        ? accountIds
        : database.record.findMany({ where: { resource: { equals: kind } } }).map(({ id }) => id);
    const id = pickExisting(ids, n) ?? nowhere;
    return n % 7 === 6 ? id.toUpperCase() : id;
  };
}

/** The expected revision and label of a change. */
function guarded(session: Session, guard: Guard, id: string, revision: string, label: string): Json {
  const stale = session.past.get(id);
  return {
    expectedRevision:
      (guard === 'stale' ? stale : guard === 'never' ? undefined : revision) ?? 'f'.repeat(64),
    expectedLabel: guard === 'label' ? `${label}!` : guard === 'padded' ? ` ${label}\u3000` : label,
  };
}

/** Selects a friend by a number, with the expected revision and label. */
function pickFriend(session: Session, { database }: ModelWorld, n: number, guard: Guard) {
  const friend = pickExisting(database.friend.getAll(), n);
  if (friend === undefined)
    return {
      accountId: accountIds[0],
      userId: `U${'f'.repeat(32)}`,
      ...guarded(session, guard, '', 'f'.repeat(64), 'x'),
    };
  const { accountId, userId, id, revision, displayName } = friend;
  return { accountId, userId, ...guarded(session, guard, id, revision, displayName) };
}

/** The change of a step in the current world. */
export function createChange(session: Session, model: ModelWorld, intent: Intent): Json {
  const pick = picking(model);
  switch (intent.is) {
    case 'create':
      return { action: `create-${intent.of.resource}`, data: withReferences(intent.of.data, pick) };
    case 'update':
    case 'delete': {
      const named = intent.is === 'delete' ? intent.resource : intent.of.resource;
      const { id, revision, label } = target(model, named, intent.pick);
      const guards = guarded(session, intent.guard, id, revision, label);
      if (intent.is === 'delete') {
        const resource = named === 'rich-menus' ? 'tags' : named;
        return { action: 'delete-configuration', resource, id, ...guards };
      }
      return { action: `update-${named}`, id, ...guards, data: withReferences(intent.of.data, pick) };
    }
    case 'friend':
      return {
        action: 'update-friend',
        ...pickFriend(session, model, intent.pick, intent.guard),
        data: intent.data,
      };
    case 'tags':
      return {
        action: 'set-friend-tags',
        ...pickFriend(session, model, intent.pick, intent.guard),
        tagIds: intent.tags.map((n) => pick('tags', n)),
      };
    case 'enroll': {
      const { accountId, userId } = pickFriend(session, model, intent.pick, 'current');
      return { action: 'enroll-scenario', accountId, userId, scenarioId: pick('scenarios', intent.scenario) };
    }
  }
}

/** Selects a record by a number: mostly of the intended resource. */
export function target({ database }: ModelWorld, resource: Resource, n: number) {
  const all =
    n % 13 === 12
      ? database.record.getAll()
      : database.record.findMany({ where: { resource: { equals: resource } } });
  const row = pickExisting(all, n);
  if (row === undefined) return { id: nowhere, revision: 'f'.repeat(64), label: 'x' };
  return {
    id: row.id,
    revision: row.revision,
    label: getLabel(row.resource as Resource, JSON.parse(row.data) as Json),
  };
}

/** An equal input in another form: fields in reverse order, identifiers in upper case. */
export function respelled<T>(value: T, field = ''): T {
  if (typeof value === 'string')
    return (field.endsWith('Id') && field !== 'userId' ? value.toUpperCase() : value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => respelled(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).reverse();
  return Object.fromEntries(fields.map(([name, item]) => [name, respelled(item, name)])) as T;
}
