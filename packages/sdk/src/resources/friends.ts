import { guardsOf, hasMore, pageOf, recordOf } from '../assumed.ts';
import { type Call, callOf, mapAnswer } from '../call-promise.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import type { ChangeOutcome } from '../outcome.ts';
import { type Listing, listing } from '../pages.ts';
import type {
  ConversationRecord,
  FriendAutomationRecord,
  FriendData,
  FriendRecord,
  FriendRef,
  GuardedFriend,
  MessageRecord,
  RecordPage,
} from '../types.ts';
import { guards, type ListOptions } from './configuration.ts';
import { type EditOptions, edit } from './edit.ts';
import type { Operations } from './operations-of.ts';

export interface FriendListOptions extends ListOptions {
  /** Only friends of this account. */
  readonly accountId?: string | undefined;
  /** Part of a display name, up to 100 characters. */
  readonly search?: string | undefined;
}

export interface Friends {
  /** Lists friends. */
  list(options?: FriendListOptions): Listing<RecordPage<FriendRecord>, FriendRecord>;
  /** Reads one friend. */
  get(friend: FriendRef, options?: CallOptions): Call<FriendRecord>;
  /** Changes notes or state of a friend as it was read; what is left out stays. */
  update(friend: GuardedFriend, data: FriendData, options?: WriteOptions): Call<ChangeOutcome<FriendRecord>>;
  /** Reads a friend, lets you change notes and state, and writes; reads again where somebody was faster. */
  edit(
    friend: FriendRef,
    change: (data: FriendData, friend: FriendRecord) => FriendData | Promise<FriendData>,
    options?: EditOptions,
  ): Call<ChangeOutcome<FriendRecord>>;
  /** Replaces the tags of a friend as it was read. May start notifications configured in the organization. */
  setTags(
    friend: GuardedFriend,
    tagIds: readonly string[],
    options?: WriteOptions,
  ): Call<ChangeOutcome<FriendRecord>>;
  /** Enters a friend into a scenario. May start notifications configured in the organization. */
  enroll(
    friend: FriendRef,
    scenario: string | { readonly id: string },
    options?: WriteOptions,
  ): Call<ChangeOutcome<FriendAutomationRecord>>;
  /** The latest messages with a friend; `limited` says that there are more. */
  messages(
    friend: FriendRef,
    options?: CallOptions & { limit?: number | undefined },
  ): Call<RecordPage<MessageRecord>>;
  /** The scenarios a friend is or was in; `limited` says that there are more. */
  automations(friend: FriendRef, options?: CallOptions): Call<RecordPage<FriendAutomationRecord>>;
}

export interface Conversations {
  /** The latest conversations, of one account or all; `limited` says that there are more. */
  list(options?: CallOptions & { accountId?: string | undefined }): Call<RecordPage<ConversationRecord>>;
}

interface BoundedQuery {
  readonly resource: string;
  readonly [field: string]: unknown;
}

/** A list the API bounds without an offset: awaitable only. */
export function boundedList<T>(
  api: Operations,
  query: BoundedQuery,
  options: CallOptions,
): Call<RecordPage<T>> {
  return callOf(mapAnswer(api.read<RecordPage<T>>(query, options), (page) => pageOf(page, query.resource)));
}

const resource = 'friends';

export function friends(api: Operations): Friends {
  const get = ({ accountId, userId }: FriendRef, options: CallOptions = {}) =>
    mapAnswer(api.read<{ record: FriendRecord }>({ resource, accountId, userId }, options), (answer) =>
      recordOf(answer, resource),
    );
  const update = (friend: GuardedFriend, data: FriendData, options: WriteOptions = {}, derived?: string[]) =>
    api.change<FriendRecord>(
      () => ({ action: 'update-friend', ...named(friend), ...guardsOf(friend), data }),
      options,
      derived,
    );
  return {
    list({ accountId, search, limit, offset = 0, maxItems, ...options } = {}) {
      return listing({
        start: offset,
        maxItems,
        fetch: async (from, wanted) => {
          const size = wanted === undefined ? limit : Math.min(limit ?? 50, wanted);
          const query = { resource, accountId, search, offset: from > 0 ? from : undefined, limit: size };
          return mapAnswer(api.read<RecordPage<FriendRecord>>(query, options), (page) =>
            pageOf(page, resource),
          );
        },
        items: (page) => page.records,
        next: (page, from) => (hasMore(page, from) ? from + page.records.length : undefined),
        identity: ({ accountId, userId }) => `${accountId} ${userId}`,
      });
    },
    get: (friend, options) => callOf(get(friend, options)),
    update: (friend, data, options) => callOf(update(friend, data, options, guards)),
    edit: (friend, change, options) =>
      callOf(
        edit(
          {
            read: (call) => get(friend, call).then((answer) => answer.data),
            write: (current, data, call) => update(current, data, call, [...guards, 'data']),
            data: ({ notes, status }): FriendData => ({ notes, status }),
            change,
          },
          options,
        ),
      ),
    setTags: (friend, tagIds, options = {}) =>
      callOf(
        api.change<FriendRecord>(
          () => ({ action: 'set-friend-tags', ...named(friend), ...guardsOf(friend), tagIds }),
          options,
          guards,
        ),
      ),
    enroll: (friend, scenario, options = {}) =>
      callOf(
        api.change<FriendAutomationRecord>(() => {
          const scenarioId = typeof scenario === 'string' ? scenario : scenario.id;
          return { action: 'enroll-scenario', ...named(friend), scenarioId };
        }, options),
      ),
    messages: (friend, { limit, ...options } = {}) =>
      boundedList(
        api,
        { resource: 'messages', ...named(friend), ...(limit !== undefined && { limit }) },
        options,
      ),
    automations: (friend, options = {}) =>
      boundedList(api, { resource: 'friend-automations', ...named(friend) }, options),
  };
}

function named({ accountId, userId }: FriendRef): FriendRef {
  return { accountId, userId };
}
