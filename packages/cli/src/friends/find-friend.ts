import { isSameLabel } from '@orgchat/sdk/internal';
import { limits } from '@orgchat/spec/limits';
import type { Context } from '../context.ts';
import { notFoundError, usageError } from '../errors/cli-error.ts';
import type { Row } from '../output/output.ts';
import { listPages } from '../resources/fetch-records.ts';
import { getLookup } from '../resources/lookup.ts';
import { createListProgress, readRecords } from '../resources/read-list.ts';
import { unicodeForms } from '../resources/unicode-forms.ts';
import {
  containsUserId,
  type FriendId,
  type FriendOptions,
  findFriend,
  parseFriendOperands,
} from './friend-operands.ts';

/**
 * Finds a friend to read, also by display name: `NAME` or `ACCOUNT NAME`. Commands that change a friend accept only
 * the user id, because friends choose their display names and several may share one.
 */
export async function findFriendToRead(
  context: Context,
  operands: readonly string[],
  options: FriendOptions,
): Promise<FriendId> {
  const given = options.userId === undefined ? operands : [...operands, options.userId];
  const displayName = given.at(-1);
  if (displayName === undefined || given.some(containsUserId)) {
    return findFriend(context, parseFriendOperands(operands, options));
  }
  const accounts = [options.accountId, ...given.slice(0, -1)].filter((account) => account !== undefined);
  if (accounts.length > 1) {
    throw usageError(
      `Too many arguments: ${accounts.join(', ')}.`,
      'Pass the friend, and the account if needed.',
    );
  }
  const [account] = accounts;
  const accountId = account === undefined ? undefined : await getLookup(context).id('accounts', account);
  return findByDisplayName(context, displayName, accountId);
}

async function findByDisplayName(
  context: Context,
  displayName: string,
  accountId: string | undefined,
): Promise<FriendId> {
  const client = await context.client();
  const call = context.bulkCall;
  const friends = new Map<string, Row>();
  for (const search of unicodeForms(displayName, limits.friendSearchLength)) {
    const query = { search, ...(accountId !== undefined && { accountId }) };
    const read = listPages(client, 'friends', query, call);
    for await (const friend of readRecords(read, { all: true }, createListProgress()))
      if (isSameLabel(friend.displayName, displayName))
        friends.set(`${String(friend.accountId)} ${String(friend.userId)}`, friend);
  }
  const found = [...friends.values()];
  const [only, second] = found;
  if (only === undefined) {
    throw notFoundError(`No friend named "${displayName}".`, 'List friends: orgchat friends list');
  }
  if (second !== undefined) {
    const names = [...friends.keys()].slice(0, 5);
    throw usageError(
      `${found.length} friends are named "${displayName}".`,
      `Use account and user id: ${names.join(', ')}${found.length > names.length ? ', …' : ''}`,
      'AMBIGUOUS_NAME',
    );
  }
  return { accountId: String(only.accountId), userId: String(only.userId) };
}

/** Adds the names of the tags of a friend as `tags`. A deleted tag is shown by its id. */
export async function withTagNames(context: Context, friend: Row): Promise<Row> {
  const ids: unknown[] = Array.isArray(friend.tagIds) ? friend.tagIds : [];
  if (ids.length === 0) return { ...friend, tags: [] };
  const names = new Map((await getLookup(context).all('tags')).map(({ id, name }) => [id, name]));
  return { ...friend, tags: ids.map((id) => names.get(id) ?? id) };
}
