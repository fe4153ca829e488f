import type { ChatChange } from '@orgchat/spec';
import { momentOf } from '../clock.ts';
import { Entry, type Fields } from '../store/entry.ts';
import type { Organization } from '../store/organization.ts';
import type { World } from '../world.ts';
import { guard } from './guard.ts';
import { notify } from './notify.ts';
import type { Plan, Scene, Written } from './plan.ts';
import { checkOne } from './references.ts';
import { needFriend } from './visible.ts';

type UpdateFriend = Extract<ChatChange, { action: 'update-friend' }>;
type SetFriendTags = Extract<ChatChange, { action: 'set-friend-tags' }>;

/** The next state of a friend, with some fields changed. */
export function nextFriend(before: Entry, changed: Fields, now: number): Entry {
  const fields = { ...before.fields, ...changed, updatedAt: momentOf(now) };
  return new Entry(before.sequence, before.account, before.version + 1, before.id, fields);
}

export function putFriend(world: World, organization: Organization, entry: Entry): void {
  organization.stored.friends.put(entry);
  world.recorder?.('friends', organization.id, entry.id, entry);
}

function store(scene: Scene, entry: Entry): Written {
  putFriend(scene.world, scene.caller.organization, entry);
  return { recordId: entry.id, result: entry.json, revisionAfter: entry.revision };
}

/** Clauses 4.4 and 5.10: notes and state; what is left out stays (D58). */
export function updateFriend(scene: Scene, change: UpdateFriend): Plan {
  const before = needFriend(scene.caller, change.accountId, change.userId);
  guard(before, change);
  return {
    resource: 'friends',
    before,
    write: () => store(scene, nextFriend(before, change.data, scene.now)),
  };
}

/** Clauses 4.4: all tags of a friend are replaced, as a set (D60); a set that differs is notified (D92). */
export function setFriendTags(scene: Scene, change: SetFriendTags): Plan {
  const before = needFriend(scene.caller, change.accountId, change.userId);
  change.tagIds.forEach((tagId, i) => {
    checkOne(scene.caller, 'tags', tagId, ['change', 'tagIds', i]);
  });
  guard(before, change);
  return {
    resource: 'friends',
    before,
    write: () => {
      const tagIds = [...new Set(change.tagIds)];
      const had = before.fields.tagIds as readonly string[];
      const addedTagIds = tagIds.filter((tagId) => !had.includes(tagId));
      const removedTagIds = had.filter((tagId) => !tagIds.includes(tagId));
      if (addedTagIds.length + removedTagIds.length > 0) {
        notify(scene, change, { kind: 'friend-tags-changed', addedTagIds, removedTagIds });
      }
      return store(scene, nextFriend(before, { tagIds }, scene.now));
    },
  };
}
