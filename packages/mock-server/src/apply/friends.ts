import type { ChatChange } from '@orgchat/spec';
import { toIsoString } from '../primitives/clock.ts';
import { Entry, type Fields } from '../records/entry.ts';
import type { Organization } from '../records/organization.ts';
import type { RequestContext } from '../request/context.ts';
import type { PlannedChange, WrittenChange } from '../request/planned-change.ts';
import { requireCurrent, requireFriend } from '../request/requirements.ts';
import type { World } from '../world/world.ts';
import { notify } from './notify.ts';
import { checkReferences, keepReferences } from './references.ts';

type UpdateFriend = Extract<ChatChange, { action: 'update-friend' }>;
type SetFriendTags = Extract<ChatChange, { action: 'set-friend-tags' }>;

/** The next version of a friend, with some fields changed. */
export function nextFriend(before: Entry, changed: Fields, now: number): Entry {
  const fields = { ...before.fields, ...changed, updatedAt: toIsoString(now) };
  return new Entry(before.sequence, before.account, before.version + 1, before.id, fields);
}

interface FriendData {
  readonly accountId: string;
  readonly userId: string;
  readonly displayName: string;
  readonly status: string;
  readonly notes: string | null;
  readonly tagIds: readonly string[];
}

/** The fields of a friend: identity and guards, data, times. */
export function createFriendFields(
  { accountId, userId, displayName, status, notes, tagIds }: FriendData,
  times: { readonly createdAt: string; readonly updatedAt: string },
): Fields {
  const guards = { accountId, userId, revision: '', label: displayName };
  return { ...guards, displayName, status, notes, tagIds, ...times };
}

export function putFriend(world: World, organization: Organization, entry: Entry): void {
  organization.stored.friends.put(entry);
  world.recorder?.('friends', organization.id, entry.id, entry);
}

function storeFriend(context: RequestContext, entry: Entry): WrittenChange {
  putFriend(context.world, context.caller.organization, entry);
  return { recordId: entry.id, recordName: entry.label, result: entry.json, revisionAfter: entry.revision };
}

/** Updates notes and status of a friend; omitted fields stay (sections 4.4 and 5.10, D58). */
export function updateFriend(context: RequestContext, change: UpdateFriend): PlannedChange {
  const before = requireFriend(context.caller, change.accountId, change.userId);
  requireCurrent('friends', before, change);
  return {
    resource: 'friends',
    before,
    write: () => storeFriend(context, nextFriend(before, change.data, context.now)),
  };
}

/** Replaces the set of a friend's tags (section 4.4, D60); a different set records a notification (D92). */
export function setFriendTags(context: RequestContext, change: SetFriendTags): PlannedChange {
  const before = requireFriend(context.caller, change.accountId, change.userId);
  requireCurrent('friends', before, change);
  if (context.world.rules.server.unknownReference !== 'accepted')
    checkReferences(
      context.caller,
      'friends',
      change,
      ['change'],
      keepReferences(context, 'friends', before),
    );
  return {
    resource: 'friends',
    before,
    write: () => {
      const tagIds = [...new Set(change.tagIds)];
      const tagIdsBefore = before.fields.tagIds as readonly string[];
      const addedTagIds = tagIds.filter((tagId) => !tagIdsBefore.includes(tagId));
      const removedTagIds = tagIdsBefore.filter((tagId) => !tagIds.includes(tagId));
      if (addedTagIds.length + removedTagIds.length > 0) {
        notify(context, change, { kind: 'friend-tags-changed', addedTagIds, removedTagIds });
      } else {
        const { world, trace } = context;
        const cause = { reason: 'same-tags', friend: before.label } as const;
        trace.rare.decision = { step: 'writePlannedChange', cause, world };
      }
      return storeFriend(context, nextFriend(before, { tagIds }, context.now));
    },
  };
}
