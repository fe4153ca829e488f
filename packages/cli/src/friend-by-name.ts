import type { Context } from './context.ts';
import { notFound, usage } from './failure.ts';
import {
  type FriendName,
  type FriendOptions,
  findFriend,
  friendOperands,
  namesUser,
} from './friend-names.ts';
import { patientMs, readRecords, startOfReading } from './lists.ts';
import { Lookup } from './lookup.ts';
import type { Row } from './output/output.ts';
import { readPage } from './resources/reader.ts';

/**
 * Finds a friend to read, also by display name: `NAME` or `ACCOUNT NAME`. Commands that change a friend take the user id
 * alone, since friends choose their display names and several may have the same.
 */
export async function findFriendToRead(
  context: Context,
  operands: readonly string[],
  options: FriendOptions,
): Promise<FriendName> {
  const given = options.userId === undefined ? operands : [...operands, options.userId];
  const displayName = given.at(-1);
  if (displayName === undefined || given.some(namesUser)) {
    return findFriend(context, friendOperands(operands, options));
  }
  const accounts = [options.accountId, ...given.slice(0, -1)].filter((account) => account !== undefined);
  if (accounts.length > 1) {
    throw usage('Too many arguments.', 'Give the account, if it is needed, and the friend.');
  }
  const [account] = accounts;
  const accountId = account === undefined ? undefined : await new Lookup(context).id('accounts', account);
  return findByDisplayName(context, displayName, accountId);
}

async function findByDisplayName(
  context: Context,
  displayName: string,
  accountId: string | undefined,
): Promise<FriendName> {
  const client = await context.client();
  const query = { search: displayName.trim(), ...(accountId !== undefined && { accountId }) };
  const call = { signal: context.interrupt.signal, timeoutMs: context.options.timeout ?? patientMs };
  const read = (offset: number, limit: number) =>
    readPage(client, 'friends', { ...query, offset, limit }, call);
  const found: Row[] = [];
  for await (const friend of readRecords(read, { all: true }, startOfReading())) {
    if (String(friend.displayName).trim() === displayName.trim()) found.push(friend);
  }
  const [only, second] = found;
  if (only === undefined) {
    throw notFound(`No friend named "${displayName}".`, 'See which friends there are: orgchat friends list');
  }
  if (second !== undefined) {
    const names = found.slice(0, 5).map((friend) => `${String(friend.accountId)} ${String(friend.userId)}`);
    throw usage(
      `${found.length} friends are named "${displayName}".`,
      `Name one by account and user id: ${names.join(', ')}${found.length > names.length ? ', …' : ''}`,
      'AMBIGUOUS_NAME',
    );
  }
  return { accountId: String(only.accountId), userId: String(only.userId) };
}

/** Adds the names of the tags of a friend, as `tags`. A tag that was deleted since stands there as its id. */
export async function withTagNames(context: Context, friend: Row): Promise<Row> {
  const ids: unknown[] = Array.isArray(friend.tagIds) ? friend.tagIds : [];
  if (ids.length === 0) return { ...friend, tags: [] };
  const names = new Map((await new Lookup(context).all('tags')).map(({ id, name }) => [id, name]));
  return { ...friend, tags: ids.map((id) => names.get(id) ?? id) };
}
