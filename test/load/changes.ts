import { deletableResources } from '@orgchat/spec';
import { dataOf } from '../model/data.ts';
import { type Json, type Resource, resources } from '../model/resources.ts';
import { keyOf } from './seed.ts';
import type { Memory, Own, Step } from './step.ts';

const words = ['a', ' b ', '日本', '😀 ', '\u3000c', 'Ab C', 'é\t'];

/** A change by chance: of one's own records, or of a friend, whom others change too. */
export function change(memory: Memory): Step {
  const { draw, own } = memory;
  // As many records as each visitor has, so many there are: what it makes it also deletes.
  const kind =
    own.length >= 8
      ? 'delete'
      : draw.of(['create', 'create', 'update', 'delete', 'friend', 'again', 'stale']);
  if (kind === 'friend') return changeFriend(memory);
  if (kind === 'again' && memory.applied.length > 0) return again(memory);
  if (kind === 'create' || own.length === 0) return create(memory);
  const of = draw.of(own);
  if (kind === 'stale') return stale(memory, of);
  if (kind === 'delete' && isDeletable(of.resource)) return remove(memory, of);
  return update(memory, of);
}

const isDeletable = (resource: Resource): boolean =>
  (deletableResources as readonly string[]).includes(resource);

/** Data that names only what no one else deletes. */
function dataFor({ draw, own, inventory }: Memory, resource: Resource): Json {
  const pick = (kind: Resource | 'accounts', n: number): string => {
    const mine = own.filter((record) => record.resource === kind).map(({ id }) => id);
    const all = [...(kind === 'accounts' ? inventory.accounts : inventory.records[kind]), ...mine];
    return all[n % all.length] ?? '';
  };
  const n = Array.from({ length: 6 }, () => draw.below(1000));
  return dataOf(resource, { words: [draw.of(words), draw.of(words)], n }, pick);
}

/** One that no other visitor of the world comes upon. */
function nextOperationId(memory: Memory): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return `${memory.draw.uuid().slice(0, 24)}${hex(memory.number, 4)}${hex(memory.intended++, 8)}`;
}

/** A change under an operationId of its own, which is remembered once it is applied. */
function intend(
  memory: Memory,
  kind: string,
  what: Json,
  then: { learn: (result: Json) => void; forget?: () => void },
  expected: readonly string[] = ['200'],
): Step {
  const operationId = nextOperationId(memory);
  const body: Json = { operationId, change: what };
  return {
    kind,
    request: sending(memory, body),
    expected,
    operationId,
    learn: ({ applied, replayed, result }, fresh) => {
      if (applied !== true) return 'it is not said to be applied';
      if (fresh && replayed !== false) return 'a fresh change is said to be a replay';
      memory.applied = [...memory.applied.slice(-5), { body, result: JSON.stringify(result) }];
      then.learn(result as Json);
      return undefined;
    },
    ...(then.forget && { forget: then.forget }),
  };
}

const sending = ({ number }: Memory, body: Json) => ({
  method: 'POST',
  path: '/chat/changes',
  key: keyOf('writer', number),
  body: JSON.stringify(body),
});

const recordOf = (resource: Resource, { id, revision, label }: Json): Own => ({
  resource,
  id: String(id),
  revision: String(revision),
  label: String(label),
});

function create(memory: Memory): Step {
  const resource = memory.draw.of(resources);
  const learn = (result: Json): void => void memory.own.push(recordOf(resource, result));
  return intend(
    memory,
    'create',
    { action: `create-${resource}`, data: dataFor(memory, resource) },
    { learn },
  );
}

const without = (records: readonly Own[], id: string): Own[] => records.filter((record) => record.id !== id);

function update(memory: Memory, { resource, id, revision, label }: Own): Step {
  const guard = { expectedRevision: revision, expectedLabel: label };
  const what = { action: `update-${resource}`, id, ...guard, data: dataFor(memory, resource) };
  const forget = (): void => {
    memory.own = without(memory.own, id);
  };
  const learn = (result: Json): void => {
    memory.own = [...without(memory.own, id), recordOf(resource, result)];
  };
  return intend(memory, 'update', what, { learn, forget });
}

function remove(memory: Memory, of: Own): Step {
  const { resource, id, revision, label } = of;
  const guard = { expectedRevision: revision, expectedLabel: label };
  const forget = (): void => {
    memory.own = without(memory.own, id);
  };
  const learn = (): void => {
    forget();
    memory.gone = [...memory.gone.slice(-5), of];
  };
  return intend(
    memory,
    'delete',
    { action: 'delete-configuration', resource, id, ...guard },
    { learn, forget },
  );
}

/** A guard that does not hold: nothing is changed. */
function stale(memory: Memory, { resource, id, revision, label }: Own): Step {
  const guard = memory.draw.percent(50)
    ? { expectedRevision: 'f'.repeat(64), expectedLabel: label }
    : { expectedRevision: revision, expectedLabel: `${label}!` };
  const what = { action: `update-${resource}`, id, ...guard, data: dataFor(memory, resource) };
  return intend(memory, 'stale', what, { learn: () => {} }, ['409 STALE_REVISION']);
}

/** An operationId once more: with the same input a replay, with another a conflict. */
function again(memory: Memory): Step {
  const { body, result } = memory.draw.of(memory.applied);
  if (memory.draw.percent(30)) {
    const other = { action: 'create-tags', data: { name: 'Another intention', color: 'brown' } };
    const request = sending(memory, { ...body, change: other });
    return { kind: 'conflict', request, expected: ['409 INPUT_CONFLICT'] };
  }
  return {
    kind: 'replay',
    request: sending(memory, body),
    expected: ['200'],
    learn: (answer) => {
      if (answer.replayed !== true) return 'a replay is not said to be one';
      return JSON.stringify(answer.result) === result ? undefined : 'a replay has another result';
    },
  };
}

function changeFriend(memory: Memory): Step {
  const { draw, friend, inventory } = memory;
  const named = draw.of(inventory.friends);
  const nothing = { learn: () => {} };
  if (friend === undefined || draw.percent(30)) {
    const scenarioId = draw.of(inventory.records.scenarios);
    return intend(memory, 'enroll', { action: 'enroll-scenario', ...named, scenarioId }, nothing);
  }
  memory.friend = undefined;
  const { accountId, userId, revision, label } = friend;
  const guarded = { accountId, userId, expectedRevision: revision, expectedLabel: label };
  const what = draw.percent(50)
    ? { action: 'update-friend', ...guarded, data: { notes: draw.of([null, 'Called.']), status: 'resolved' } }
    : { action: 'set-friend-tags', ...guarded, tagIds: inventory.records.tags.slice(draw.below(3)) };
  return intend(memory, 'friend change', what, nothing, ['200', '409 STALE_REVISION']);
}

/** Keywords that no one else adds. They carry no operationId, so they are sent once. */
export function addKeywords(memory: Memory): Step {
  const { number, draw } = memory;
  const keywords = Array.from({ length: 1 + draw.below(3) }, () => `keyword ${number} ${draw.below(20)}`);
  return {
    kind: 'keywords',
    request: {
      method: 'POST',
      path: '/sites/demo-site/keywords',
      key: keyOf('writer', number),
      body: JSON.stringify({ keywords, ...(draw.percent(50) && { group: 'load' }) }),
    },
    expected: ['201'],
  };
}
