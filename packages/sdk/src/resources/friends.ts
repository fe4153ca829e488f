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
  return {
    ...createRecordMethods<FriendRef, Friend, FriendInput>(api, 'friends', 'update-friend', requireFriendRef),
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
