import { toComparableId } from '../shapes/ids.ts';
import { createUnexpectedShapeError } from '../shapes/shape-errors.ts';
import type { FriendRef, Message } from '../types.ts';
import { canonicalJson } from '../write/operation-id.ts';
import type { AccountConversations, ConversationReader } from './conversation-lists.ts';
import { createGap, type Delivery, type Feed } from './deliveries.ts';
import {
  findFriend,
  getServerTime,
  type ListedRows,
  type Row,
  requireNewestFirst,
  toShortDigest,
} from './listed-rows.ts';
import { type Round, readFeed } from './read-feed.ts';
import {
  type ConversationState,
  clockToleranceMs,
  earlierOf,
  laterOf,
  missingSince,
  type WatchState,
} from './watch-state.ts';

/** A conversation of a list, and what is known of it. */
interface Conversation {
  readonly key: string;
  readonly friend: FriendRef;
  readonly time: number;
  readonly digest: string;
  readonly known: ConversationState | undefined;
  /** Whether it may have a message that is new. */
  readonly isChanged: boolean;
  /** Whether it is read although nothing changed, because its list of messages was late. */
  readonly isDue: boolean;
  /** When it is read again although nothing changed. */
  rereadAt: number | undefined;
}

const toKey = ({ accountId, userId }: FriendRef): string =>
  `${toComparableId(accountId)} ${toComparableId(userId)}`;
const toFriend = (key: string): FriendRef => {
  const [accountId = '', userId = ''] = key.split(' ');
  return { accountId, userId };
};

/** Reads what is new of the conversations. */
export async function readNewMessages(round: Round, reader: ConversationReader): Promise<Feed[]> {
  const { api, state, since, options } = round;
  const isFirst = state.startedAt === undefined;
  const lists = await reader.read(api, options, isFirst);
  const learnsOnly = isFirst && since === 'now';
  const shown = new Set(lists.map(({ accountId }) => accountId));
  const known = new Set([...state.conversations.keys()].map((key) => toFriend(key).accountId));
  // An account that the key cannot reach any more has no conversations.
  const gone = [...known].filter((id) => reader.knowsAll && !shown.has(id));
  const all = [...lists, ...gone.map((accountId) => ({ accountId, listed: undefined }))];
  const feeds: Feed[] = [];
  for (const one of all) feeds.push(...(await readAccountFeeds(round, one, learnsOnly)));
  const beginning = since === 'all' ? null : round.heardAt();
  const startedAt = isFirst ? beginning : state.startedAt;
  const finish = (): void => {
    state.startedAt = startedAt;
  };
  return [...feeds, { deliveries: [], finish }];
}

/** Reads what is new of the conversations of an account. */
async function readAccountFeeds(
  round: Round,
  { accountId, listed }: AccountConversations,
  learnsOnly: boolean,
): Promise<Feed[]> {
  const { state } = round;
  const threshold = laterOf(state.startedAt ?? null, state.floors.get(accountId) ?? null);
  const shown = listed ? listConversations(listed, state, threshold, learnsOnly) : [];
  const { vanished, forgotten } = findMissing(accountId, listed, shown, state);
  const feeds: Feed[] = [{ deliveries: vanished, finish: () => undefined }];
  if (listed?.isCut && shown.length > 0 && shown.every(({ isChanged }) => isChanged)) {
    // The last round may not have read this account.
    feeds.push({ deliveries: [createGap('conversations', threshold)], finish: () => undefined });
  }
  // The last chance of a message that was late, before newer conversations push out its own.
  for (const key of forgotten) {
    const known = state.conversations.get(key);
    if (known?.rereadAt === undefined) continue;
    feeds.push(await readConversation(round, { key, friend: toFriend(key), known }, threshold));
  }
  for (const one of shown) {
    if (!one.isChanged && !one.isDue) continue;
    const feed = await readConversation(round, one, threshold);
    feeds.push(feed);
    one.rereadAt = listed?.hasUsualTimes ? findReread(one, feed, getServerTime(listed.answer)) : undefined;
  }
  const finish = (): void => {
    for (const key of forgotten) state.conversations.delete(key);
    // A time of another field than the usual one does not say when the last message came.
    // Nor does a time that is yet to come: the clock was set back.
    const heardAt = round.heardAt();
    const isUsable = (time: number): boolean =>
      listed?.hasUsualTimes === true && time <= heardAt + clockToleranceMs;
    for (const one of [...shown].reverse()) learn(state, one, isUsable(one.time) ? one.time : heardAt);
    const floor = state.floors.get(accountId) ?? null;
    const shownTo = listed?.isCut ? earlierOf(listed.times.at(-1) ?? null, heardAt) : null;
    state.floors.set(accountId, laterOf(floor, shownTo));
  };
  return [...feeds, { deliveries: [], finish }];
}

/** How long a list of messages may lag behind the list of conversations, in milliseconds. */
const longestLagMs = 5 * 60_000;

/**
 * When a conversation is read again, because its list of messages may not show yet what the list of conversations said at
 * `listedAt`; undefined if it shows it. The age of the message doubles from one time to the next, so these are few.
 */
function findReread(
  { time }: Conversation,
  { newestAt, hasNew }: Feed,
  listedAt: number,
): number | undefined {
  const age = listedAt - time;
  if (newestAt === undefined || age >= longestLagMs || age < -clockToleranceMs) return undefined;
  // The two times may differ a little although they are of one message. Of a time in whole seconds, there may be two messages.
  const isLate = hasNew ? time > newestAt + clockToleranceMs : time > newestAt || time % 1_000 === 0;
  return isLate ? Math.min(listedAt + Math.max(age, 1_000), time + longestLagMs) : undefined;
}

/** Notes how a conversation is shown, when all of its messages are handled. */
function learn(
  { conversations }: WatchState,
  { key, time, digest, known, rereadAt }: Conversation,
  after: number,
): void {
  const one = conversations.get(key) ?? known ?? { at: time, after, ids: '', digest };
  conversations.delete(key);
  conversations.set(key, { ...one, digest, rereadAt });
}

/** Lists the conversations that a list shows, newest first. */
function listConversations(
  listed: ListedRows,
  { conversations, heardAt }: WatchState,
  threshold: number | null,
  learnsOnly: boolean,
): Conversation[] {
  const listedAt = getServerTime(listed.answer);
  const shown = listed.rows.map((row, index): Conversation => {
    const friend = findFriend(row) ?? { accountId: '', userId: '' };
    const key = toKey(friend);
    const time = listed.times[index] ?? 0;
    const digest = toShortDigest(canonicalJson(row));
    const known = conversations.get(key);
    const isOld = threshold !== null && listed.hasUsualTimes && time < threshold;
    const isChanged = known ? known.digest !== digest || known.isGone === true : !learnsOnly && !isOld;
    const rereadAt = known?.rereadAt;
    const waitMs = (rereadAt ?? Number.NaN) - listedAt;
    // So long a wait was noted before the clock was set back.
    const isDue = waitMs <= 0 || waitMs > longestLagMs;
    return { key, friend, time, digest, known, isChanged, isDue, rereadAt };
  });
  const isSame = ({ known, isChanged }: Conversation): boolean => known !== undefined && !isChanged;
  requireNewestFirst(listed, {
    isHandled: (index) => shown.slice(index, index + 1).every(isSame),
    earlierAt: heardAt,
  });
  return shown;
}

/** Finds the conversations that a list does not show any more: those that newer ones pushed out, and those that are gone. */
function findMissing(
  accountId: string,
  listed: ListedRows | undefined,
  shown: readonly Conversation[],
  state: WatchState,
): { readonly vanished: Delivery[]; readonly forgotten: readonly string[] } {
  const keys = new Set(shown.map(({ key }) => key));
  const oldest = listed?.isCut ? (listed.times.at(-1) ?? Infinity) : -Infinity;
  const vanished: Delivery[] = [];
  const forgotten: string[] = [];
  for (const [key, known] of state.conversations) {
    const friend = toFriend(key);
    if (friend.accountId !== accountId || keys.has(key) || known.isGone) continue;
    const { at } = known;
    // What was handled of it is older than all that is shown, so only its time is needed.
    const settle = (): void => {
      known.isGone = true;
    };
    if (at !== null && at <= oldest) forgotten.push(key);
    else vanished.push(createGap('messages', missingSince(known, state), { friend, settle }));
  }
  return { vanished, forgotten };
}

/** Reads the new messages of a conversation. */
function readConversation(
  round: Round,
  { key, friend, known }: Pick<Conversation, 'key' | 'friend' | 'known'>,
  threshold: number | null,
): Promise<Feed> {
  const { conversations } = round.state;
  const own: ConversationState = known ?? { at: null, after: threshold, ids: '', digest: '' };
  return readFeed(round, {
    query: { resource: 'messages', ...friend },
    friend,
    own,
    isLearned: known !== undefined,
    // The friend may be gone since the list was read.
    mayBeGone: true,
    learnsOnly: false,
    keep: () => void conversations.set(key, own),
    toEvent: (row, facts, listed) =>
      isIncoming(row, listed)
        ? { type: 'message', ...facts, friend, record: row as unknown as Message }
        : undefined,
  });
}

/** Throws if a message does not say who wrote it: a program must not answer its own messages. */
function isIncoming({ direction }: Row, { answer }: ListedRows): boolean {
  if (direction === 'incoming' || direction === 'outgoing') return direction === 'incoming';
  const why =
    'A message has no direction that is "incoming" or "outgoing", so watch() cannot tell which messages are from friends.';
  throw createUnexpectedShapeError('readChat', 'messages', answer, why);
}
