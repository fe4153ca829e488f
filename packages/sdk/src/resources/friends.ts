import { createOffsetList, type RecordList, readBoundedList } from '../lists/record-list.ts';
import type { CallOptions, ChangeOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import type { Call } from '../results/call-promise.ts';
import { requireFriendRef, requireId } from '../shapes/record-arguments.ts';
import type {
  Conversation,
  Friend,
  FriendAutomation,
  FriendInput,
  FriendRef,
  Guarded,
  GuardedFriend,
  Message,
  RecordPage,
} from '../types.ts';
import { type ChangeCall, startChange } from '../write/require-result.ts';
import type { ListOptions } from './configuration.ts';
import type { EditOptions } from './edit.ts';
import { editFriendTags, type TagEdit } from './friend-tags.ts';
import { createRecordMethods } from './record-methods.ts';

/**
 * Options of `friends.list`.
 *
 * @example
 * const options: FriendListOptions = { accountId, search: 'a', limit: 10 };
 * console.log((await client.friends.list(options)).total);
 */
export interface FriendListOptions extends ListOptions {
  /** The id of an account: only its friends. Default: all accounts. */
  readonly accountId?: string | undefined;
  /** Part of a display name, up to 100 characters. Default: any name. */
  readonly search?: string | undefined;
}

/** The friends of all accounts that your key can access (4.3, 4.4). */
export interface Friends {
  /**
   * Lists friends, newest first, of one account or all. A loop reads the next page when it needs it.
   *
   * @example
   * for await (const friend of client.friends.list({ accountId }))
   *   console.log(friend.displayName, friend.status);
   */
  list(options?: FriendListOptions): RecordList<Friend>;
  /**
   * Reads one friend by account and user. Rejects with `NotFoundError` if the key can access no such friend.
   *
   * @example
   * const { notes, tagIds } = await client.friends.get({ accountId, userId: friend.userId });
   * console.log(notes, tagIds);
   */
  get(friend: FriendRef, options?: CallOptions): Call<Guarded<Friend>>;
  /**
   * Changes the notes or the status of a friend. Rejects with `StaleRevisionError` if someone changed the friend since you
   * read it. A field that you leave out keeps its value.
   *
   * @param friend The friend as you read it.
   * @example
   * await client.friends.update(friend, { status: 'resolved' }); // the notes stay
   */
  update(
    friend: GuardedFriend | Friend | undefined,
    data: FriendInput,
    options?: ChangeOptions,
  ): ChangeCall<Friend>;
  /**
   * Reads a friend, and lets you change the notes and the status. If someone changes the friend in the meantime, it tries
   * again with what the friend has then, up to `maxAttempts` times (default 4).
   *
   * @param change Gets notes and status and the whole friend, and returns what is written. Called once for each attempt.
   * @example
   * await client.friends.edit(friend, ({ notes }) => ({ notes: `${notes ?? ''}\nOrder ${order.id}` }));
   */
  edit(
    friend: FriendRef | undefined,
    change: (data: FriendInput, friend: Guarded<Friend>) => FriendInput | Promise<FriendInput>,
    options?: EditOptions,
  ): ChangeCall<Friend>;
  /**
   * Replaces all tags of a friend. Rejects with `StaleRevisionError` if someone changed the friend since you read it. May
   * start notifications configured in the organization.
   *
   * @param friend The friend as you read it.
   * @param tagIds The ids of all tags that the friend has afterwards.
   * @example
   * await client.friends.setTags(friend, [tag.id]); // these tags and no others
   */
  setTags(
    friend: GuardedFriend | Friend | undefined,
    tagIds: readonly string[],
    options?: ChangeOptions,
  ): ChangeCall<Friend>;
  /**
   * Adds tags to a friend, and keeps the others. If someone changes the friend in the meantime, it tries again with the
   * tags that the friend has then, up to `maxAttempts` times (default 10).
   *
   * With an `intent`, such as the id of an order, the tags are added once, however often and on however many machines
   * this runs: a tag that was removed since is not added again. If the server knows the intent and the friend does not
   * have the tags, this rejects with `OutcomeUnknownError`. If only a read showed the tags, `replayed` is true and
   * `auditRecorded` is false, because it is not known.
   *
   * @param tagIds The ids of the tags to add.
   * @example
   * await client.friends.addTags(friend, [tag.id], { intent: ['order', order.id, 'tag'] });
   */
  addTags(
    friend: FriendRef | undefined,
    tagIds: readonly string[],
    options?: EditOptions,
  ): ChangeCall<Friend>;
  /**
   * Removes tags from a friend, and keeps the others. If someone changes the friend in the meantime, it tries again.
   * Options and `intent` work as they do for `addTags`.
   *
   * @param tagIds The ids of the tags to remove.
   * @example
   * await client.friends.removeTags(friend, [tag.id], { intent: ['order', order.id, 'untag'] });
   */
  removeTags(
    friend: FriendRef | undefined,
    tagIds: readonly string[],
    options?: EditOptions,
  ): ChangeCall<Friend>;
  /**
   * Reads a friend, and lets you choose all its tags. If someone changes the friend in the meantime, it tries again.
   * `change` runs once for each attempt. With an `intent`, it must return the same for the same friend. Options and
   * `intent` work as they do for `addTags`.
   *
   * @param change Gets the ids of the tags and the whole friend, and returns the ids of all tags to write.
   * @example
   * await client.friends.editTags(friend, (tagIds) => [...tagIds.slice(0, 4), tag.id]);
   */
  editTags(
    friend: FriendRef | undefined,
    change: (
      tagIds: readonly string[],
      friend: Guarded<Friend>,
    ) => readonly string[] | Promise<readonly string[]>,
    options?: EditOptions,
  ): ChangeCall<Friend>;
  /**
   * Enters a friend into a scenario. May start notifications configured in the organization.
   *
   * @param scenario The scenario, or its id.
   * @example
   * const { result } = await client.friends.enroll(friend, scenario, { intent: ['order', order.id, 'enroll'] });
   * console.log(result?.scenarioName);
   */
  enroll(
    friend: FriendRef,
    scenario: string | { readonly id: string },
    options?: ChangeOptions,
  ): ChangeCall<FriendAutomation>;
  /**
   * Lists the latest messages with a friend. More exist if `limited` is true.
   *
   * @example
   * const { records } = await client.friends.messages(friend, { limit: 10 });
   * console.log(records.map(({ direction, text }) => `${direction}: ${text}`));
   */
  messages(
    friend: FriendRef,
    options?: CallOptions & {
      /** How many messages, 1 to 50. Default 50. */
      limit?: number | undefined;
    },
  ): Call<RecordPage<Message>>;
  /**
   * Lists the scenarios that a friend is or was in. More exist if `limited` is true.
   *
   * @example
   * for (const { scenarioName, status } of (await client.friends.automations(friend)).records) console.log(scenarioName, status);
   */
  automations(friend: FriendRef, options?: CallOptions): Call<RecordPage<FriendAutomation>>;
}

/** Conversations with friends (4.3). */
export interface Conversations {
  /**
   * Lists the latest conversations, of one account or all. More exist if `limited` is true.
   *
   * @example
   * const { records } = await client.conversations.list({ accountId });
   * console.log(records[0]?.lastMessageText);
   */
  list(
    options?: CallOptions & {
      /** The id of an account: only its conversations. Default: all accounts. */
      accountId?: string | undefined;
    },
  ): Call<RecordPage<Conversation>>;
}

export function createFriends(api: ChatApi): Friends {
  const { guarded, ...methods } = createRecordMethods<FriendRef, Guarded<Friend>, FriendInput>(
    api,
    'friends',
    'update-friend',
    requireFriendRef,
  );
  const editTags = (friend: FriendRef | undefined, edit: TagEdit, options?: EditOptions) =>
    startChange(() => editFriendTags(api, methods.get, friend, edit, options));
  return {
    ...methods,
    addTags: (friend, tagIds, options) => editTags(friend, { method: 'addTags', input: tagIds }, options),
    removeTags: (friend, tagIds, options) =>
      editTags(friend, { method: 'removeTags', input: tagIds }, options),
    editTags: (friend, change, options) => editTags(friend, { method: 'editTags', change }, options),
    list: (given) => {
      const { accountId, search, ...options } = { ...given };
      return createOffsetList(api, () => ({ query: { resource: 'friends', accountId, search }, options }));
    },
    setTags: (given, tagIds, options) =>
      startChange(() =>
        guarded(given, tagIds, options, (record, input, call) =>
          api.change({ action: 'set-friend-tags', ...requireFriendRef(record), tagIds: input }, call, {
            record,
          }),
        ),
      ),
    enroll: (friend, scenario, options) =>
      startChange(() =>
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
