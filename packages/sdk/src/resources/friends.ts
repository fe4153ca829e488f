import { type Call, callOf } from '../call-promise.ts';
import { invalidInput } from '../errors/refused.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import type { ChangeOutcome } from '../outcome.ts';
import type { Listing } from '../pages.ts';
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
import type { ListOptions } from './configuration.ts';
import type { EditOptions } from './edit.ts';
import { boundedList, guarded, idOf, offsetList, requireRecord } from './guarded.ts';
import type { Operations } from './operations-of.ts';

export interface FriendListOptions extends ListOptions {
  /** Only friends of this account. */
  readonly accountId?: string | undefined;
  /** Part of a display name, up to 100 characters. */
  readonly search?: string | undefined;
}

export interface Friends {
  /** Lists friends, newest first, of one account or all. */
  list(options?: FriendListOptions): Listing<RecordPage<FriendRecord>, FriendRecord>;
  /** Reads one friend. */
  get(friend: FriendRef, options?: CallOptions): Call<FriendRecord>;
  /** Changes notes or state of a friend as it was read; what is left out stays. */
  update(
    friend: GuardedFriend | undefined,
    data: FriendData,
    options?: WriteOptions,
  ): Call<ChangeOutcome<FriendRecord>>;
  /** Reads a friend, lets you change notes and state, and writes; reads again where somebody was faster. */
  edit(
    friend: FriendRef | undefined,
    change: (data: FriendData, friend: FriendRecord) => FriendData | Promise<FriendData>,
    options?: EditOptions,
  ): Call<ChangeOutcome<FriendRecord>>;
  /** Replaces the tags of a friend as it was read. May start notifications configured in the organization. */
  setTags(
    friend: GuardedFriend | undefined,
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

/** The two fields that name a friend. */
function named(friend: FriendRef): FriendRef {
  const { accountId, userId }: Partial<FriendRef> = Object(friend);
  if (typeof accountId === 'string' && typeof userId === 'string') return { accountId, userId };
  throw invalidInput('Expected a friend: an object with accountId and userId, both strings.');
}

export function friends(api: Operations): Friends {
  return {
    ...guarded<FriendRef, FriendRecord, FriendData>(api, 'friends', 'update-friend', named),
    list: (given) =>
      offsetList(api, () => {
        const { accountId, search, ...options } = given ?? {};
        return { query: { resource: 'friends', accountId, search }, options };
      }),
    setTags: (given, tagIds, options) =>
      callOf(() => {
        const friend = requireRecord(given);
        return api.change({ action: 'set-friend-tags', ...named(friend), tagIds }, options, friend);
      }),
    enroll: (friend, scenario, options) =>
      callOf(() =>
        api.change({ action: 'enroll-scenario', ...named(friend), scenarioId: idOf(scenario) }, options),
      ),
    messages: (friend, given) =>
      boundedList(api, () => {
        const { limit, ...options } = given ?? {};
        return { query: { resource: 'messages', ...named(friend), limit }, options };
      }),
    automations: (friend, options) =>
      boundedList(api, () => ({ query: { resource: 'friend-automations', ...named(friend) }, options })),
  };
}
