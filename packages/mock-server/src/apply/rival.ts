import type { ChatChange, ConfigurationResource } from '@orgchat/spec';
import type { Entry, Fields } from '../store/entry.ts';
import type { Organization } from '../store/organization.ts';
import type { World } from '../world.ts';
import { dataOf, nextConfiguration, putConfiguration } from './configurations.ts';
import { nextFriend, putFriend } from './friends.ts';

/** A record that changes are guarded by. */
export interface Guarded {
  readonly resource: ConfigurationResource | 'friends';
  readonly entry: Entry;
}

/** The record a change is guarded by; undefined where it has no guard, or there is no such record. */
export function guardedRecord(organization: Organization, change: ChatChange): Guarded | undefined {
  if (change.action === 'update-friend' || change.action === 'set-friend-tags') {
    const entry = organization.friend(change.accountId, change.userId);
    return entry && { resource: 'friends', entry };
  }
  if (!('id' in change)) return undefined;
  const resource =
    change.action === 'delete-configuration'
      ? change.resource
      : (change.action.slice('update-'.length) as ConfigurationResource);
  const entry = organization.stored.configurations[resource].get(change.id);
  return entry && { resource, entry };
}

/**
 * Changes some fields of a record as another editor would: no key, no guard, no operation, no audit. The label
 * follows its field, and the revision changes even where no field does.
 */
export function edit(
  world: World,
  organization: Organization,
  { resource, entry: before }: Guarded,
  data: Fields,
  now: number,
): Entry {
  if (resource === 'friends') {
    const label = data.displayName ?? before.label;
    const entry = nextFriend(before, { ...data, label }, now);
    putFriend(world, organization, entry);
    return entry;
  }
  // In the order of the shape: the revision is a digest, and a saved state has no other order.
  const next = dataOf(resource, { ...before.fields, ...data });
  const entry = nextConfiguration({ organization }, resource, before, next, now);
  putConfiguration(world, organization, resource, entry);
  return entry;
}
