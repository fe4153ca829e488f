import { type ChatChange, type ConfigurationResource, configurationData, labelFields } from '@orgchat/spec';
import { momentOf } from '../clock.ts';
import type { Caller } from '../steps/authenticate.ts';
import { Entry, type Fields } from '../store/entry.ts';
import type { World } from '../world.ts';
import { guard } from './guard.ts';
import type { Plan, Scene, Written } from './plan.ts';
import { checkReferences } from './references.ts';
import { needConfiguration } from './visible.ts';

type Data = Readonly<Record<string, unknown>>;
type Create = Extract<ChatChange, { action: `create-${string}` }>;
type Update = Extract<ChatChange, { action: `update-${ConfigurationResource}` }>;
type Delete = Extract<ChatChange, { action: 'delete-configuration' }>;

/** A record as it is read: identity and guards, its data, its state, its times (D44). */
export function configurationFields(
  resource: ConfigurationResource,
  id: string,
  data: Data,
  times: { readonly createdAt: string; readonly updatedAt: string },
): Fields {
  return {
    id,
    revision: '',
    label: data[labelFields[resource]],
    ...data,
    ...(resource === 'broadcasts' && { status: 'draft' }),
    ...times,
  };
}

/** The data among the fields of a record, in the order of its shape, whatever order it came in. */
export function dataOf(resource: ConfigurationResource, fields: Fields): Data {
  const names = Object.keys(configurationData[resource].shape);
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

/** The number of the account data belongs to; 0 where it names none. */
export function accountOf(caller: Pick<Caller, 'organization'>, data: Data): number {
  const accountId = data.accountId;
  return typeof accountId === 'string' ? (caller.organization.accountNumber(accountId) ?? 0) : 0;
}

/** Stores a state of a record, wherever states are kept. */
export function putConfiguration(
  world: World,
  organization: Caller['organization'],
  resource: ConfigurationResource,
  entry: Entry,
): void {
  organization.stored.configurations[resource].put(entry);
  world.recorder?.(resource, organization.id, entry.id, entry);
}

function store(scene: Scene, resource: ConfigurationResource, entry: Entry): Written {
  putConfiguration(scene.world, scene.caller.organization, resource, entry);
  return { recordId: entry.id, result: entry.json, revisionAfter: entry.revision };
}

/** Clauses 4.4: a new record of a resource. */
export function create(scene: Scene, change: Create): Plan {
  const resource = change.action.slice('create-'.length) as ConfigurationResource;
  checkReferences(scene.caller, resource, change.data, ['change', 'data']);
  return {
    resource,
    write: () => {
      const at = momentOf(scene.now);
      const id = scene.world.chance.uuid();
      const { nextSequence } = scene.caller.organization.stored.configurations[resource];
      const fields = configurationFields(resource, id, change.data, { createdAt: at, updatedAt: at });
      return store(
        scene,
        resource,
        new Entry(nextSequence, accountOf(scene.caller, change.data), 1, id, fields),
      );
    },
  };
}

/** The next state of a record with other data; its id, place and time of creation stay (D57). */
export function nextConfiguration(
  caller: Pick<Caller, 'organization'>,
  resource: ConfigurationResource,
  before: Entry,
  data: Data,
  now: number,
): Entry {
  const times = { createdAt: before.fields.createdAt as string, updatedAt: momentOf(now) };
  const fields = configurationFields(resource, before.id, data, times);
  return new Entry(before.sequence, accountOf(caller, data), before.version + 1, before.id, fields);
}

/** Clauses 4.4: the data of a record is replaced, where revision and label are those last read. */
export function update(scene: Scene, change: Update): Plan {
  const resource = change.action.slice('update-'.length) as ConfigurationResource;
  const before = needConfiguration(scene.caller, resource, change.id);
  checkReferences(scene.caller, resource, change.data, ['change', 'data']);
  guard(before, change);
  return {
    resource,
    before,
    write: () =>
      store(scene, resource, nextConfiguration(scene.caller, resource, before, change.data, scene.now)),
  };
}

/** Clauses 4.4: a record is removed, and nothing else with it (D63). */
export function remove(scene: Scene, change: Delete): Plan {
  const { resource } = change;
  const before = needConfiguration(scene.caller, resource, change.id);
  guard(before, change);
  return {
    resource,
    before,
    write: () => {
      const { organization } = scene.caller;
      organization.stored.configurations[resource].remove(before);
      scene.world.recorder?.(resource, organization.id, before.id, undefined);
      return { recordId: before.id, result: JSON.stringify({ id: before.id, deleted: true }) };
    },
  };
}
