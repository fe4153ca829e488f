import { createInvalidInputError } from '../errors/refused.ts';
import type { CallOptions } from '../options/options.ts';
import type { Effect } from '../pipeline/api-request.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import type { ApiResponse, Call } from '../results/call-promise.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import { haveSameIds, toComparableId, uniqueIds } from '../shapes/ids.ts';
import { requireFriendRef, requireRecord } from '../shapes/record-arguments.ts';
import { createUnexpectedShapeError } from '../shapes/shape-errors.ts';
import type { Friend, FriendRef, Guarded } from '../types.ts';
import { areStrings, describeType } from '../values.ts';
import { copyIntent } from '../write/input.ts';
import { canonicalJson } from '../write/operation-id.ts';
import { type EditOptions, runEdit } from './edit.ts';

/*
 * The API replaces the tags of a friend as a whole. To add or remove some, the friend is read, and its tags are replaced
 * under the revision that was read. If an operator was faster, this is done again.
 *
 * With an intent, all attempts have one operation id. An attempt that was stale had no effect, so its id is still free.
 * An id that the server knows with other input was used by an earlier call with the intent, perhaps on another machine:
 * nothing is sent under another id then, so a tag that an operator removed since stays removed.
 */

/** How a call changes the tags of a friend. */
export type TagEdit =
  | { readonly method: 'addTags' | 'removeTags'; readonly input: readonly string[] }
  | { readonly method: 'editTags'; readonly change: ChangeTags };

/** Returns the tags that a friend should have. */
type ChangeTags = (
  tagIds: readonly string[],
  friend: Guarded<Friend>,
) => readonly string[] | Promise<readonly string[]>;

/** The same, ready to run. Two calls of one intent with different input are a mistake. */
interface PreparedEdit {
  readonly method: string;
  readonly input: readonly string[];
  readonly change: ChangeTags;
}

function prepareEdit(edit: TagEdit): PreparedEdit {
  const { method } = edit;
  if (method === 'editTags') {
    const { change } = edit;
    if (typeof change === 'function') return { method, input: [], change };
    throw createInvalidInputError(
      `editTags() requires a function that returns tag ids; got ${describeType(change)}.`,
    );
  }
  if (!areStrings(edit.input) || edit.input.length === 0) {
    throw createInvalidInputError('tagIds must be a non-empty array of tag ids.');
  }
  const input = [...new Set(edit.input)].sort();
  const change: ChangeTags =
    method === 'addTags'
      ? (tagIds) => uniqueIds([...tagIds, ...input])
      : (tagIds) => {
          const removed = new Set(input.map(toComparableId));
          return tagIds.filter((id) => !removed.has(toComparableId(id)));
        };
  return { method, input, change };
}

/** Returns the tags that a friend should have, from the answer to reading it. */
async function findTargetTags(
  { method, change }: PreparedEdit,
  answer: ApiResponse<Guarded<Friend>>,
): Promise<readonly string[]> {
  const { data: friend } = answer;
  if (!areStrings(friend.tagIds)) {
    throw createUnexpectedShapeError(
      'readChat',
      'friends',
      answer,
      'The tagIds of the friend must be a list of text.',
    );
  }
  const tagIds: unknown = await change(friend.tagIds, friend);
  if (areStrings(tagIds)) return tagIds;
  const found = Array.isArray(tagIds) ? 'an array with other values' : describeType(tagIds);
  throw createInvalidInputError(`The function of ${method}() must return an array of tag ids; got ${found}.`);
}

/** How often the tags of a friend are read and written again while others change the friend. */
const defaultMaxAttempts = 10;

type ReadFriend = (friend: FriendRef, options?: CallOptions) => Call<Guarded<Friend>>;
type TagOutcome = ApiResponse<ChangeOutcome<Guarded<Friend>>>;

/** Reads a friend, changes its tags and writes them, until no one else was faster. */
export async function editFriendTags(
  api: ChatApi,
  read: ReadFriend,
  friend: FriendRef | undefined,
  requested: TagEdit,
  given: EditOptions | undefined,
): Promise<TagOutcome> {
  const { maxAttempts = defaultMaxAttempts, ...options } = { ...given };
  const ref = requireFriendRef(requireRecord(friend));
  const edit = prepareEdit(requested);
  const intent = copyIntent(options.intent);
  // What a function does cannot be seen. The caller may say it.
  const said = options.fingerprint === undefined ? [] : [options.fingerprint];
  const fingerprint = intent && canonicalJson([edit.method, ref, edit.input, ...said]);
  let lastAnswer: ApiResponse<Guarded<Friend>>;
  return runEdit<Guarded<Friend>, readonly string[]>(
    async (call) => {
      lastAnswer = await read(ref, call).withResponse();
      return lastAnswer.data;
    },
    (record) => findTargetTags(edit, { ...lastAnswer, data: record }),
    (record, tagIds, call) => {
      const change = { action: 'set-friend-tags', ...ref, tagIds };
      const source = {
        record,
        fingerprint,
        findEffect: (own: CallOptions) => findEffect(read(ref, own), edit),
      };
      return api.change<Guarded<Friend>>(change, { ...call, intent }, source);
    },
    { maxAttempts, ...options },
  );
}

/** Reads whether the friend has what an earlier call with the intent was to do. */
async function findEffect(reading: Call<Guarded<Friend>>, edit: PreparedEdit): Promise<Effect> {
  const answer = await reading.withResponse();
  const { data: friend } = answer;
  return { result: friend, isShown: haveSameIds(friend.tagIds, await findTargetTags(edit, answer)) };
}
