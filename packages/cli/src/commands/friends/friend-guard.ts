import type { Command } from 'commander';
import type { ChangeOptions } from '../../changes/change-options.ts';
import { isSubset } from '../../changes/is-subset.ts';
import { JournalMatcher } from '../../changes/journal-matcher.ts';
import type { Context } from '../../context.ts';
import type { FriendOptions, ParsedFriend } from '../../friends/friend-operands.ts';
import type { Row } from '../../output/output.ts';
import { Lookup } from '../../resources/lookup.ts';

export interface Guard {
  readonly expectRevision?: string | undefined;
  readonly expectLabel?: string | undefined;
}

export interface GuardOptions extends FriendOptions, ChangeOptions, Guard {}

export function addGuardOptions(command: Command): Command {
  return command
    .option('--expect-revision <revision>', 'fail unless the friend has this revision')
    .option('--expect-label <label>', 'fail unless the friend has this label');
}

/** Whether a change in the journal is the requested one: same friend, guards and values. */
export async function isSameFriend(
  context: Context,
  { account, user }: ParsedFriend,
  { expectRevision, expectLabel }: Guard,
  known: Row,
  asked: Row,
  matcher = new JournalMatcher(new Lookup(context)),
): Promise<boolean> {
  const accountId = account === undefined ? undefined : await matcher.id('accounts', account);
  const guards = { expectedRevision: expectRevision, expectedLabel: expectLabel };
  return isSubset({ ...asked, userId: user, accountId, ...guards }, known, matcher.matches);
}

export const formatFriend = ({ accountId, userId }: Readonly<Record<string, unknown>>) => ({
  accountId,
  userId,
});

export const createFriendGuard = (friend: Readonly<Record<string, unknown>>, options: Guard) => ({
  expectedRevision: options.expectRevision ?? friend.revision,
  expectedLabel: options.expectLabel ?? friend.label,
});
