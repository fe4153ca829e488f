import {
  type ChatChange,
  type ConfigurationResource,
  configurationData,
  getActionResource,
  labelFields,
  singularNames,
} from '@orgchat/spec';
import { toIsoString } from '../primitives/clock.ts';
import { Entry, type Fields } from '../records/entry.ts';
import { ApiError } from '../request/api-error.ts';
import type { Caller, RequestContext } from '../request/context.ts';
import type { PlannedChange, WrittenChange } from '../request/planned-change.ts';
import { requireConfiguration, requireCurrent } from '../request/requirements.ts';
import type { World } from '../world/world.ts';
import { checkReferences, keepReferences } from './references.ts';

type Data = Readonly<Record<string, unknown>>;
type Create = Extract<ChatChange, { action: `create-${string}` }>;
type Update = Extract<ChatChange, { action: `update-${ConfigurationResource}` }>;

/** The fields of a record: identity and guards, data, state, times (D44). */
export function createFields(
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

/** The data fields of a record, always in the order of its schema. */
export function pickData(resource: ConfigurationResource, fields: Fields): Data {
  const names = Object.keys(configurationData[resource].shape);
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

/** Stores a record in memory and, if there is a recorder, in the data file. */
export function putConfiguration(
  world: World,
  organization: Caller['organization'],
  resource: ConfigurationResource,
  entry: Entry,
): void {
  organization.stored.configurations[resource].put(entry);
  world.recorder?.(resource, organization.id, entry.id, entry);
}

function storeConfiguration(
  context: RequestContext,
  resource: ConfigurationResource,
  entry: Entry,
): WrittenChange {
  putConfiguration(context.world, context.caller.organization, resource, entry);
  return {
    recordId: entry.id,
    recordName: entry.label,
    result: entry.json,
    revisionAfter: entry.revision,
  };
}

/** Refuses a name that another record has, if the server does (D23). */
function requireFreeName(
  { world, caller }: RequestContext,
  resource: ConfigurationResource,
  data: Data,
  own?: Entry,
): void {
  const { duplicateNames } = world.rules.server;
  if (duplicateNames === undefined) return;
  const label = data[labelFields[resource]];
  for (const other of caller.organization.stored.configurations[resource].values()) {
    if (other.id === own?.id || other.label !== label) continue;
    const { status, code } = duplicateNames;
    const cause = { reason: 'duplicate-name', record: singularNames[resource], id: other.id } as const;
    throw new ApiError('INVALID_INPUT', cause, undefined, { status, ownCode: code });
  }
}

/** Creates a record (section 4.4). */
export function create(context: RequestContext, change: Create): PlannedChange {
  const resource = getActionResource(change.action);
  if (context.world.rules.server.unknownReference !== 'accepted')
    checkReferences(context.caller, resource, change.data, ['change', 'data']);
  requireFreeName(context, resource, change.data);
  return {
    resource,
    write: () => {
      const at = toIsoString(context.now);
      const id = context.world.random.uuid();
      const { organization } = context.caller;
      const { nextSequence } = organization.stored.configurations[resource];
      const fields = createFields(resource, id, change.data, { createdAt: at, updatedAt: at });
      return storeConfiguration(
        context,
        resource,
        new Entry(nextSequence, organization.ownerNumber(fields.accountId), 1, id, fields),
      );
    },
  };
}

/** The next version of a record with new data; id, position and creation time stay (D57). */
export function nextConfiguration(
  { organization }: Pick<Caller, 'organization'>,
  resource: ConfigurationResource,
  before: Entry,
  data: Data,
  now: number,
): Entry {
  const times = { createdAt: before.fields.createdAt as string, updatedAt: toIsoString(now) };
  const fields = createFields(resource, before.id, data, times);
  const account = organization.ownerNumber(fields.accountId);
  return new Entry(before.sequence, account, before.version + 1, before.id, fields);
}

/** Replaces the data of a record if revision and label are current (section 4.4). */
export function update(context: RequestContext, change: Update): PlannedChange {
  const resource = getActionResource(change.action);
  const before = requireConfiguration(context.caller, resource, change.id);
  requireCurrent(resource, before, change);
  const isKept = keepReferences(context, resource, before);
  if (context.world.rules.server.unknownReference !== 'accepted')
    checkReferences(context.caller, resource, change.data, ['change', 'data'], isKept);
  requireFreeName(context, resource, change.data, before);
  return {
    resource,
    before,
    write: () =>
      storeConfiguration(
        context,
        resource,
        nextConfiguration(context.caller, resource, before, change.data, context.now),
      ),
  };
}
