import type { ChangeOptions } from '../../changes/change-options.ts';
import { createStaleHint, type Expectations, givenGuard } from '../../changes/record-guard.ts';
import type { Context } from '../../context.ts';
import type { FriendOptions, ParsedFriend } from '../../friends/friend-operands.ts';
import type { Row } from '../../output/output.ts';
import { getLookup } from '../../resources/lookup.ts';

export interface GuardOptions extends FriendOptions, ChangeOptions, Expectations {}

/** The fields of a change to a friend that may be given or left out: its account and guards. */
export async function readPinnedFields(
  context: Context,
  { account }: ParsedFriend,
  expected: Expectations = {},
): Promise<Row> {
  const accountId = account === undefined ? undefined : await getLookup(context).id('accounts', account);
  return { accountId, ...givenGuard(expected) };
}

/** The hint for a friend that has another revision or label than expected. */
export const createFriendStaleHint = (
  { account, user }: ParsedFriend,
  expected: Expectations,
): string | undefined =>
  createStaleHint(expected, ['friends', 'get', ...(account === undefined ? [] : [account]), user]);

export const formatFriend = ({ accountId, userId }: Readonly<Record<string, unknown>>) => ({
  accountId,
  userId,
});
