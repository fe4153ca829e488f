import { toComparableId } from '@orgchat/sdk/internal';
import type { Context } from '../context.ts';
import type { Row } from '../output/output.ts';
import type { Lookup } from '../resources/lookup.ts';
import { readFriend } from './friend-operands.ts';

/** Flags that limit a list of friends. The API cannot filter by them. */
export interface FriendFilter {
  readonly status?: string | undefined;
  /** Names or ids of tags, all of which a friend must have. */
  readonly tag?: readonly string[] | undefined;
}

/** Creates the filter of a list of friends; undefined if every friend is shown. */
export async function createFriendFilter(
  context: Context,
  lookup: Lookup,
  { status, tag }: FriendFilter,
): Promise<((friend: Row) => Promise<boolean>) | undefined> {
  if (status === undefined && tag === undefined) return undefined;
  const wanted = await lookup.ids('tags', tag ?? []);
  return async (row) => {
    // The rows of a list may be summaries.
    const isWhole = typeof row.status === 'string' && Array.isArray(row.tagIds);
    const friend = isWhole ? row : await readFriend(context, toFriendId(row));
    if (status !== undefined && friend.status !== status) return false;
    const tagIds = new Set(
      Array.isArray(friend.tagIds) ? friend.tagIds.map((id) => toComparableId(String(id))) : [],
    );
    return wanted.every((id) => tagIds.has(id));
  };
}

const toFriendId = ({ accountId, userId }: Row) => ({ accountId: String(accountId), userId: String(userId) });
