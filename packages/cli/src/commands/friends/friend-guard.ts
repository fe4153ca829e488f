import type { Command } from 'commander';
import type { ChangeOptions } from '../../changes/change-options.ts';
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

/** The fields of a change to a friend that may be given or left out: its account and guards. */
export async function readPinnedFields(
  context: Context,
  { account }: ParsedFriend,
  { expectRevision, expectLabel }: Guard = {},
): Promise<Row> {
  const accountId = account === undefined ? undefined : await new Lookup(context).id('accounts', account);
  return { accountId, expectedRevision: expectRevision, expectedLabel: expectLabel };
}

export const formatFriend = ({ accountId, userId }: Readonly<Record<string, unknown>>) => ({
  accountId,
  userId,
});

export const createFriendGuard = (friend: Readonly<Record<string, unknown>>, options: Guard) => ({
  expectedRevision: options.expectRevision ?? friend.revision,
  expectedLabel: options.expectLabel ?? friend.label,
});
