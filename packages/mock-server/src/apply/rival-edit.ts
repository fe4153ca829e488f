import { type ChatChange, type ConfigurationResource, getActionResource } from '@orgchat/spec';
import { type Editor, setEditor } from '../records/editor.ts';
import type { Entry, Fields } from '../records/entry.ts';
import type { Organization } from '../records/organization.ts';
import { onlyReadable, type Reader } from '../request/requirements.ts';
import type { World } from '../world/world.ts';
import { announceEdit, byControl } from './announce.ts';
import { nextConfiguration, pickData, putConfiguration } from './configurations.ts';
import { deleteConfiguration } from './deletion.ts';
import { nextFriend, putFriend } from './friends.ts';

/** A record whose revision and label guard a change. */
export interface GuardedRecord {
  readonly resource: ConfigurationResource | 'friends';
  readonly entry: Entry;
}

/** The record that guards a change; undefined if the change has no guard, or if the caller cannot see the record. */
export function findGuardedRecord(caller: Reader, change: ChatChange): GuardedRecord | undefined {
  const { organization } = caller;
  if (change.action === 'update-friend' || change.action === 'set-friend-tags') {
    const entry = onlyReadable(caller, organization.friend(change.accountId, change.userId));
    return entry && { resource: 'friends', entry };
  }
  if (!('id' in change)) return undefined;
  const resource =
    change.action === 'delete-configuration' ? change.resource : getActionResource(change.action);
  const entry = onlyReadable(caller, organization.stored.configurations[resource].get(change.id));
  return entry && { resource, entry };
}

/**
 * Changes some fields of a record as a concurrent editor would, without key, guard, operation or audit entry. The label
 * follows its field, and the revision changes even if no field does. `requestId` is the request that a fault hit.
 */
export function applyRivalEdit(
  world: World,
  organization: Organization,
  { resource, entry: before }: GuardedRecord,
  data: Fields,
  now: number,
  editor: Editor,
  requestId?: string,
): Entry {
  const source = requestId === undefined ? byControl : ({ by: 'rival-edit', requestId } as const);
  if (resource === 'friends') {
    const label = data.displayName ?? before.label;
    const entry = nextFriend(before, { ...data, label }, now);
    putFriend(world, organization, entry);
    announceEdit(world, organization, resource, entry, source);
    setEditor(entry, editor);
    return entry;
  }
  // In the order of the schema, which saved states also have: the revision is a digest of the fields.
  const next = pickData(resource, { ...before.fields, ...data });
  const entry = nextConfiguration({ organization }, resource, before, next, now);
  putConfiguration(world, organization, resource, entry);
  announceEdit(world, organization, resource, entry, source);
  setEditor(entry, editor);
  return entry;
}

/** Deletes a record as a concurrent editor would, without key, guard, operation or audit entry. */
export function deleteAsRival(
  world: World,
  organization: Organization,
  { resource, entry }: GuardedRecord,
  now: number,
  requestId: string,
  faultId: string,
): void {
  // A fault that deletes hits no request about a friend.
  if (resource === 'friends') return;
  deleteConfiguration(world, organization, { resource, entry }, now, requestId);
  announceEdit(world, organization, resource, entry, { by: 'rival-edit', requestId }, 'deleted');
  world.rivalDeletions.set(entry.id, faultId);
}
