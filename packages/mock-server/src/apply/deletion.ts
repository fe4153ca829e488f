import { type ChatChange, type ConfigurationResource, singularNames } from '@orgchat/spec';
import { setEditor } from '../records/editor.ts';
import type { Entry } from '../records/entry.ts';
import type { Organization } from '../records/organization.ts';
import { ApiError } from '../request/api-error.ts';
import type { RequestContext } from '../request/context.ts';
import type { PlannedChange } from '../request/planned-change.ts';
import { onlyReadable, requireConfiguration, requireCurrent } from '../request/requirements.ts';
import type { World } from '../world/world.ts';
import { announceEdit } from './announce.ts';
import { nextConfiguration, pickData, putConfiguration } from './configurations.ts';
import { nextFriend, putFriend } from './friends.ts';
import { findReferrers, type Referrer, removeReferences } from './references.ts';

type Delete = Extract<ChatChange, { action: 'delete-configuration' }>;

/** Deletes a record (section 4.4). What becomes of references to it, `onDelete` of the world decides (D63). */
export function remove(context: RequestContext, change: Delete): PlannedChange {
  const { resource } = change;
  const { world, caller, trace } = context;
  const before = requireConfiguration(caller, resource, change.id);
  requireCurrent(resource, before, change);
  if (world.onDelete === 'refuse') requireUnused(context, resource, before);
  return {
    resource,
    before,
    write: () => {
      const { requestId } = trace;
      deleteConfiguration(world, caller.organization, { resource, entry: before }, context.now, requestId);
      const result = JSON.stringify({ id: before.id, deleted: true });
      return { recordId: before.id, recordName: before.label, result };
    },
  };
}

/** Removes a record, and the references to it if the world says so. `requestId` is the request that it happens in. */
export function deleteConfiguration(
  world: World,
  organization: Organization,
  { resource, entry }: { readonly resource: ConfigurationResource; readonly entry: Entry },
  now: number,
  requestId: string,
): void {
  organization.stored.configurations[resource].remove(entry);
  world.recorder?.(resource, organization.id, entry.id, undefined);
  if (world.onDelete !== 'remove') return;
  for (const referrer of findReferrers(organization, resource, entry.id)) {
    const changed = putWithoutReference(world, organization, referrer, resource, entry.id, now);
    announceEdit(world, organization, referrer.resource, changed, { by: 'request', requestId });
    setEditor(changed, { kind: 'deletion', record: singularNames[resource], id: entry.id, requestId });
  }
}

function putWithoutReference(
  world: World,
  organization: Organization,
  { resource, entry }: Referrer,
  target: ConfigurationResource,
  id: string,
  now: number,
): Entry {
  if (resource === 'friends') {
    const friend = nextFriend(entry, removeReferences(resource, entry.fields, target, id), now);
    putFriend(world, organization, friend);
    return friend;
  }
  const data = removeReferences(resource, pickData(resource, entry.fields), target, id);
  const next = nextConfiguration({ organization }, resource, entry, data, now);
  putConfiguration(world, organization, resource, next);
  return next;
}

/** Maximum number of records that a refusal names. */
const mostNamed = 5;

/** Answers 400 if other records refer to a record. Those that the key cannot read are only counted. */
function requireUnused({ caller }: RequestContext, resource: ConfigurationResource, { id }: Entry): void {
  const referrers = findReferrers(caller.organization, resource, id);
  if (referrers.length === 0) return;
  const readable = referrers.filter(({ entry }) => onlyReadable(caller, entry) !== undefined);
  const users = readable
    .slice(0, mostNamed)
    .map((referrer) => `${singularNames[referrer.resource]} ${JSON.stringify(referrer.entry.label)}`);
  const more = referrers.length - users.length;
  const record = singularNames[resource];
  throw new ApiError('INVALID_INPUT', { reason: 'still-used', record, id, users, more }, (language) => {
    const others = language === 'ja' ? `ほか${more}件` : `${more} more`;
    const listed = [...users, ...(more > 0 ? [others] : [])].join(language === 'ja' ? '、' : ', ');
    return language === 'ja'
      ? `IDが${id}の${record}は使用中です: ${listed}。`
      : `The ${record} ${id} is still used by ${listed}.`;
  });
}
