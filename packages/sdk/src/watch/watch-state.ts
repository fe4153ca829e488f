import { isObject } from '../values.ts';
import { createCursorError } from './cursor.ts';

/** What a cursor stores at most, in bytes of UTF-8. */
export const maxCursorBytes = 1_000_000;
/** How many ids the cursor keeps of a conversation, a form or a link. A list shows at most 50. */
const maxIds = 100;
/** The ids are digests of 16 hexadecimal digits, one after the other. */
const idLength = 16;

/** What was handled of a list of records: the messages of a conversation, the submissions of a form, the clicks on a link. */
export interface ListState {
  /** When the newest record was made that was handled, in milliseconds; null if there is none. */
  at: number | null;
  /** Earlier records are not new, whether or not `ids` has them; null if all are. */
  after: number | null;
  /** The records that were handled, oldest first. Empty if they were never read. */
  ids: string;
  /** The API does not show the list any more, and a gap said so. */
  isGone?: boolean | undefined;
}

/** How much the clock of the server may go back, in milliseconds: its machines differ, and a `Date` has whole seconds. */
export const clockToleranceMs = 2_000;

/** A conversation, and the digest of its row when its messages were last handled. */
export interface ConversationState extends ListState {
  digest: string;
  /** When its messages are read again although it is shown as before: their list was late. In milliseconds. */
  rereadAt?: number | undefined;
}

/** How far a watch got. */
export interface WatchState {
  readonly organizationId: string;
  /** The `Date` of the server in the last round, in milliseconds. */
  heardAt: number;
  /** What the clock of this machine said when that answer was there. */
  localAt: number;
  /** When the watch of messages began, by the clock of the server, in milliseconds; null for all that is there. */
  startedAt: number | null | undefined;
  /** The accounts that were seen, each with the time up to which conversations that are not shown were handled. */
  readonly floors: Map<string, number | null>;
  /** By account and friend; the one that was shown last at the end. */
  readonly conversations: Map<string, ConversationState>;
  /** By resource and id of the form or link. */
  readonly lists: Map<string, ListState>;
}

/** The later of two times, of which null is the beginning. */
export const laterOf = (one: number | null, other: number | null): number | null =>
  one === null || (other !== null && other > one) ? other : one;

/** The earlier of two times, of which null is the beginning. */
export const earlierOf = (one: number | null, other: number): number | null =>
  one === null ? null : Math.min(one, other);

/** Returns since when records of a list may be missing: the clock may have been set back after its newest was handled. */
export const missingSince = ({ at, after }: ListState, { heardAt }: WatchState): number | null =>
  earlierOf(at ?? after, heardAt);

/** Splits the ids of a list. */
export const splitIds = (ids: string): string[] => ids.match(/.{16}/g) ?? [];

/** Marks records as handled; `ids` are their digests, oldest first. */
export function addIds(state: ListState, ids: readonly string[]): void {
  const added = new Set(ids);
  const kept = splitIds(state.ids).filter((id) => !added.has(id));
  state.ids = [...kept, ...added].slice(-maxIds).join('');
}

export function createState(organizationId: string): WatchState {
  return {
    organizationId,
    heardAt: 0,
    localAt: 0,
    startedAt: undefined,
    floors: new Map(),
    conversations: new Map(),
    lists: new Map(),
  };
}

const toText = ({ floors, conversations, lists, ...rest }: WatchState): string =>
  JSON.stringify({
    format: 1,
    ...rest,
    floors: [...floors],
    conversations: [...conversations],
    lists: [...lists],
  });

/**
 * Returns the text of a state, of at most 1 MB. Of what is too much, conversations that are gone are forgotten first, then the
 * ids of the conversations that have been quiet for longest: of these, messages are compared by their times. `heardAt` is the
 * time of the server in the round: what is later was made before its clock was set back, and does not show what is new.
 */
export function serializeState(state: WatchState, heardAt = state.heardAt): string {
  const { conversations, floors } = state;
  let text = toText(state);
  const findExcess = (): number => new TextEncoder().encode(text).length - maxCursorBytes;
  const forget = (key: string, one: ConversationState): number => {
    conversations.delete(key);
    return JSON.stringify([key, one]).length + 1;
  };
  const steps: ((key: string, one: ConversationState) => number)[] = [
    (key, one) => (one.isGone ? forget(key, one) : 0),
    (_, one) => {
      const { length } = one.ids;
      Object.assign(one, { ids: '', after: earlierOf(laterOf(one.after, one.at), heardAt) });
      return length;
    },
    (key, one) => {
      const [accountId = ''] = key.split(' ');
      floors.set(accountId, earlierOf(laterOf(floors.get(accountId) ?? null, one.at), heardAt));
      return forget(key, one);
    },
  ];
  for (const step of steps) {
    let excess = findExcess();
    if (excess <= 0) return text;
    // What is noted of forgotten conversations takes room, too.
    excess += 1_000;
    for (const [key, one] of conversations) if (excess > 0) excess -= step(key, one);
    text = toText(state);
  }
  if (findExcess() <= 0) return text;
  throw createCursorError(
    `The cursor would be larger than ${maxCursorBytes} bytes. Watch fewer forms and links with one cursor.`,
  );
}

const isTime = (value: unknown): value is number | null => value === null || Number.isFinite(value);
const isListState = (value: unknown): value is ListState =>
  isObject(value) &&
  isTime(value.at) &&
  isTime(value.after) &&
  typeof value.ids === 'string' &&
  value.ids.length % idLength === 0;
const isConversation = (value: unknown): value is ConversationState =>
  isListState(value) && 'digest' in value && typeof value.digest === 'string';

/** Returns whether a value is what a map was written as. */
function areEntries<T>(
  value: unknown,
  isValue: (one: unknown) => one is T,
): value is readonly (readonly [string, T])[] {
  return (
    Array.isArray(value) &&
    value.every((one) => Array.isArray(one) && typeof one[0] === 'string' && isValue(one[1]))
  );
}

/** Reads what `serializeState` wrote. Throws `CURSOR_FAILED` for anything else. */
export function parseState(text: string): WatchState {
  const advice = 'Use another cursor, or remove this one to start again.';
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (cause) {
    throw createCursorError(`The cursor cannot be read: it is not JSON. ${advice}`, cause);
  }
  const { format, organizationId, heardAt, localAt, startedAt, floors, conversations, lists } = Object(read);
  if (Number(format) > 1) {
    const message = `The cursor has the format ${Number(format)}, which a newer version of @orgchat/sdk wrote. Install that version.`;
    throw createCursorError(message);
  }
  const isUsable =
    format === 1 &&
    typeof organizationId === 'string' &&
    Number.isFinite(heardAt) &&
    Number.isFinite(localAt) &&
    (startedAt === undefined || isTime(startedAt));
  if (
    !isUsable ||
    !areEntries(floors, isTime) ||
    !areEntries(conversations, isConversation) ||
    !areEntries(lists, isListState)
  )
    throw createCursorError(`The cursor cannot be read: it was not written by watch(). ${advice}`);
  return {
    organizationId,
    heardAt,
    localAt,
    startedAt,
    floors: new Map(floors),
    conversations: new Map(conversations),
    lists: new Map(lists),
  };
}
