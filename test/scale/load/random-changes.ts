import { deletableResources } from '@orgchat/spec';
import fc from 'fast-check';
import { dataOf, type Pick, withReferences } from '../../models/reference-model/random-data.ts';
import { type Json, type Resource, resources } from '../../models/reference-model/resources.ts';
import type { ClientState, Own, Step } from './client-step.ts';
import { getKey } from './seed.ts';

/** A random change: of the client's own records, or of a friend that other clients change too. */
export function change(state: ClientState): Step {
  const { random, own } = state;
  // A client deletes what it creates, so the number of records stays bounded.
  const kind =
    own.length >= 8
      ? 'delete'
      : random.pick(['create', 'create', 'update', 'delete', 'friend', 'again', 'stale']);
  if (kind === 'friend') return changeFriend(state);
  if (kind === 'again' && state.applied.length > 0) return again(state);
  if (kind === 'create' || own.length === 0) return create(state);
  const of = random.pick(own);
  if (kind === 'stale') return stale(state, of);
  if (kind === 'delete' && isDeletable(of.resource)) return remove(state, of);
  return update(state, of);
}

const isDeletable = (resource: Resource): boolean =>
  (deletableResources as readonly string[]).includes(resource);

/** Data of each resource, made once: a client sends thousands of changes. */
const drawn = new Map(resources.map((one) => [one, fc.sample(dataOf(one), { seed: 1, numRuns: 200 })]));

/** Data that refers only to records that nobody else deletes. */
function dataFor({ random, own, inventory }: ClientState, resource: Resource): Json {
  const pick: Pick = (kind, n) => {
    const mine = own.filter((record) => record.resource === kind).map(({ id }) => id);
    const all = [...(kind === 'accounts' ? inventory.accounts : inventory.records[kind]), ...mine];
    return all[(n + random.below(1_000)) % all.length] ?? '';
  };
  return withReferences(random.pick(drawn.get(resource) ?? []), pick);
}

/** An ID that no other client of the world creates. */
function nextOperationId(state: ClientState): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return `${state.random.uuid().slice(0, 24)}${hex(state.number, 4)}${hex(state.intended++, 8)}`;
}

/** A change with a new operationId. It is recorded when it is applied. */
function intend(
  state: ClientState,
  kind: string,
  what: Json,
  then: { learn: (result: Json) => void; forget?: () => void },
  expected: readonly string[] = ['200'],
): Step {
  const operationId = nextOperationId(state);
  const body: Json = { operationId, change: what };
  return {
    kind,
    request: sending(state, body),
    expected,
    operationId,
    learn: ({ applied, replayed, result }, fresh) => {
      if (applied !== true) return 'it is not said to be applied';
      if (fresh && replayed !== false) return 'a fresh change is said to be a replay';
      state.applied = [...state.applied.slice(-5), { body, result: JSON.stringify(result) }];
      then.learn(result as Json);
      return undefined;
    },
    ...(then.forget && { forget: then.forget }),
  };
}

const sending = ({ number }: ClientState, body: Json) => ({
  method: 'POST',
  path: '/chat/changes',
  key: getKey('writer', number),
  body: JSON.stringify(body),
});

const toRecord = (resource: Resource, { id, revision, label }: Json): Own => ({
  resource,
  id: String(id),
  revision: String(revision),
  label: String(label),
});

function create(state: ClientState): Step {
  const resource = state.random.pick(resources);
  const learn = (result: Json): void => void state.own.push(toRecord(resource, result));
  return intend(state, 'create', { action: `create-${resource}`, data: dataFor(state, resource) }, { learn });
}

const without = (records: readonly Own[], id: string): Own[] => records.filter((record) => record.id !== id);

function update(state: ClientState, { resource, id, revision, label }: Own): Step {
  const guard = { expectedRevision: revision, expectedLabel: label };
  const what = { action: `update-${resource}`, id, ...guard, data: dataFor(state, resource) };
  const forget = (): void => {
    state.own = without(state.own, id);
  };
  const learn = (result: Json): void => {
    state.own = [...without(state.own, id), toRecord(resource, result)];
  };
  return intend(state, 'update', what, { learn, forget });
}

function remove(state: ClientState, of: Own): Step {
  const { resource, id, revision, label } = of;
  const guard = { expectedRevision: revision, expectedLabel: label };
  const forget = (): void => {
    state.own = without(state.own, id);
  };
  const learn = (): void => {
    forget();
    state.gone = [...state.gone.slice(-5), of];
  };
  return intend(
    state,
    'delete',
    { action: 'delete-configuration', resource, id, ...guard },
    { learn, forget },
  );
}

/** A change with a stale guard, which must change nothing. */
function stale(state: ClientState, { resource, id, revision, label }: Own): Step {
  const guard = state.random.percent(50)
    ? { expectedRevision: 'f'.repeat(64), expectedLabel: label }
    : { expectedRevision: revision, expectedLabel: `${label}!` };
  const what = { action: `update-${resource}`, id, ...guard, data: dataFor(state, resource) };
  return intend(state, 'stale', what, { learn: () => {} }, ['409 STALE_REVISION']);
}

/** Reuses an operationId: a replay with the same input, a conflict with another. */
function again(state: ClientState): Step {
  const { body, result } = state.random.pick(state.applied);
  if (state.random.percent(30)) {
    const other = { action: 'create-tags', data: { name: 'Another intention', color: 'brown' } };
    const request = sending(state, { ...body, change: other });
    return { kind: 'conflict', request, expected: ['409 INPUT_CONFLICT'] };
  }
  return {
    kind: 'replay',
    request: sending(state, body),
    expected: ['200'],
    learn: (answer) => {
      if (answer.replayed !== true) return 'a replay is not said to be one';
      return JSON.stringify(answer.result) === result ? undefined : 'a replay has another result';
    },
  };
}

function changeFriend(state: ClientState): Step {
  const { random, friend, inventory } = state;
  const nothing = { learn: () => {} };
  if (friend === undefined || random.percent(30)) {
    const enrollment = random.pick(inventory.enrollments);
    return intend(state, 'enroll', { action: 'enroll-scenario', ...enrollment }, nothing);
  }
  state.friend = undefined;
  const { accountId, userId, revision, label } = friend;
  const guarded = { accountId, userId, expectedRevision: revision, expectedLabel: label };
  const what = random.percent(50)
    ? {
        action: 'update-friend',
        ...guarded,
        data: { notes: random.pick([null, 'Called.']), status: 'resolved' },
      }
    : { action: 'set-friend-tags', ...guarded, tagIds: inventory.records.tags.slice(random.below(3)) };
  return intend(state, 'friend change', what, nothing, ['200', '409 STALE_REVISION']);
}

/** Adds keywords that no other client adds. They have no operationId, so they are sent once. */
export function addKeywords(state: ClientState): Step {
  const { number, random } = state;
  const keywords = Array.from({ length: 1 + random.below(3) }, () => `keyword ${number} ${random.below(20)}`);
  return {
    kind: 'keywords',
    request: {
      method: 'POST',
      path: '/sites/demo-site/keywords',
      key: getKey('writer', number),
      body: JSON.stringify({ keywords, ...(random.percent(50) && { group: 'load' }) }),
    },
    expected: ['201'],
  };
}
