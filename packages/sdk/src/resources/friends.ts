import type { ChangeOutcome } from '../operations/change-outcome.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import { type Call, startCall } from '../pipeline/call-promise.ts';
import type { ChatApi } from '../pipeline/endpoints.ts';
import type {
  Conversation,
  Friend,
  FriendAutomation,
  FriendInput,
  FriendRef,
  GuardedFriend,
  Message,
  RecordPage,
} from '../types.ts';
import type { ListOptions } from './configuration.ts';
import type { EditOptions } from './edit.ts';
import type { TagEdit } from './friend-tags.ts';
import type { ListPromise } from './list-promise.ts';
import { createOffsetList, readBoundedList } from './lists.ts';
import { requireFriendRef, requireId, requireRecord } from './record-arguments.ts';
import { createRecordMethods } from './record-methods.ts';

/** Options of `friends.list`. */
export interface FriendListOptions extends ListOptions {
  /** Only friends of this account. */
  readonly accountId?: string | undefined;
  /** Part of a display name, up to 100 characters. */
  readonly search?: string | undefined;
}

/** Friends of the accounts that the key can reach (4.3, 4.4). */
export interface Friends {
  /** Lists friends, newest first, of one account or all. */
  list(options?: FriendListOptions): ListPromise<RecordPage<Friend>, Friend>;
  /** Reads one friend. */
  get(friend: FriendRef, options?: CallOptions): Call<Friend>;
  /** Changes notes or state of a friend as it was read; what is left out stays. */
  update(
    friend: GuardedFriend | undefined,
    data: FriendInput,
    options?: WriteOptions,
  ): Call<ChangeOutcome<Friend>>;
  /** Reads a friend, lets you change notes and status, and writes them. Tries again if someone else was faster. */
  edit(
    friend: FriendRef | undefined,
    change: (data: FriendInput, friend: Friend) => FriendInput | Promise<FriendInput>,
    options?: EditOptions,
  ): Call<ChangeOutcome<Friend>>;
  /** Replaces the tags of a friend as it was read. May start notifications configured in the organization. */
  setTags(
    friend: GuardedFriend | undefined,
    tagIds: readonly string[],
    options?: WriteOptions,
  ): Call<ChangeOutcome<Friend>>;
  /**
   * Adds tags to a friend and keeps the others. If the friend changed in the meantime, it is read and written again,
   * up to `maxAttempts` times (default 10).
   *
   * With an `intent`, such as the id of an order, the tags are added once, however often and on however many machines
   * this runs: a tag that was removed since is not added again. If the server knows the intent and the friend does not
   * have the tags, this rejects with `OutcomeUnknownError`. If only a read showed the tags, `replayed` is true and
   * `auditRecorded` is false, because it is not known.
   *
   * @example
   * await client.friends.addTags(friend, [vip.id], { intent: ['order', order.id, 'vip'] });
   */
  addTags(
    friend: FriendRef | undefined,
    tagIds: readonly string[],
    options?: EditOptions,
  ): Call<ChangeOutcome<Friend>>;
  /**
   * Removes tags from a friend and keeps the others; otherwise as `addTags`.
   *
   * @example
   * await client.friends.removeTags(friend, [trial.id], { intent: ['order', order.id, 'trial'] });
   */
  removeTags(
    friend: FriendRef | undefined,
    tagIds: readonly string[],
    options?: EditOptions,
  ): Call<ChangeOutcome<Friend>>;
  /**
   * Reads a friend, lets you choose its tags, and writes them; otherwise as `addTags`. `change` runs once for each
   * attempt. With an `intent`, it must return the same for the same friend.
   *
   * @example
   * await client.friends.editTags(friend, (tagIds) => tagIds.map((id) => (id === old.id ? vip.id : id)));
   */
  editTags(
    friend: FriendRef | undefined,
    change: (tagIds: readonly string[], friend: Friend) => readonly string[] | Promise<readonly string[]>,
    options?: EditOptions,
  ): Call<ChangeOutcome<Friend>>;
  /** Enters a friend into a scenario. May start notifications configured in the organization. */
  enroll(
    friend: FriendRef,
    scenario: string | { readonly id: string },
    options?: WriteOptions,
  ): Call<ChangeOutcome<FriendAutomation>>;
  /** Lists the latest messages with a friend; `limited` says that there are more. */
  messages(
    friend: FriendRef,
    options?: CallOptions & { limit?: number | undefined },
  ): Call<RecordPage<Message>>;
  /** Lists the scenarios that a friend is or was in; `limited` says that there are more. */
  automations(friend: FriendRef, options?: CallOptions): Call<RecordPage<FriendAutomation>>;
}

/** Conversations with friends (4.3). */
export interface Conversations {
  /** Lists the latest conversations, of one account or all; `limited` says that there are more. */
  list(options?: CallOptions & { accountId?: string | undefined }): Call<RecordPage<Conversation>>;
}

export function createFriends(api: ChatApi): Friends {
  const methods = createRecordMethods<FriendRef, Friend, FriendInput>(
    api,
    'friends',
    'update-friend',
    requireFriendRef,
  );
  const editTags = (friend: FriendRef | undefined, edit: TagEdit, options?: EditOptions) =>
    startCall(async () => {
      const { editFriendTags } = await import('../on-demand.ts');
      return editFriendTags(api, methods.get, friend, edit, options);
    });
  return {
    ...methods,
    addTags: (friend, tagIds, options) => editTags(friend, { method: 'addTags', input: tagIds }, options),
    removeTags: (friend, tagIds, options) =>
      editTags(friend, { method: 'removeTags', input: tagIds }, options),
    editTags: (friend, change, options) => editTags(friend, { method: 'editTags', change }, options),
    list: (given) =>
      createOffsetList(api, () => {
        const { accountId, search, ...options } = given ?? {};
        return { query: { resource: 'friends', accountId, search }, options };
      }),
    setTags: (given, tagIds, options) =>
      startCall(() => {
        const friend = requireRecord(given);
        return api.change({ action: 'set-friend-tags', ...requireFriendRef(friend), tagIds }, options, {
          record: friend,
        });
      }),
    enroll: (friend, scenario, options) =>
      startCall(() =>
        api.change(
          { action: 'enroll-scenario', ...requireFriendRef(friend), scenarioId: requireId(scenario) },
          options,
        ),
      ),
    messages: (friend, given) =>
      readBoundedList(api, () => {
        const { limit, ...options } = given ?? {};
        return { query: { resource: 'messages', ...requireFriendRef(friend), limit }, options };
      }),
    automations: (friend, options) =>
      readBoundedList(api, () => ({
        query: { resource: 'friend-automations', ...requireFriendRef(friend) },
        options,
      })),
  };
}
