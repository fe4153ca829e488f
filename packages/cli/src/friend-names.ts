import type { Command } from 'commander';
import type { Context } from './context.ts';
import { notFound, usage } from './failure.ts';
import { Lookup } from './lookup.ts';
import type { Row } from './output/output.ts';
import { readOne, readPage } from './resources/reader.ts';

export interface FriendOptions {
  readonly accountId?: string;
  readonly userId?: string;
}

export interface FriendName {
  readonly accountId: string;
  readonly userId: string;
}

const userPattern = /^U[0-9a-f]{32}$/;

/** Whether an operand has a user id in it: `USER` or `ACCOUNT/USER`. */
export const namesUser = (operand: string): boolean =>
  userPattern.test(operand.slice(operand.lastIndexOf('/') + 1));

/** A friend is named by an account and a user; the account may be left out where only one has that user. */
export function addFriendOperands(
  command: Command,
  further?: string,
  friend = 'the friend: U and 32 hexadecimal digits',
): Command {
  command
    .argument('[account]', 'the account: id or name; not needed where only one has this friend')
    .argument('[user]', friend);
  if (further !== undefined) command.argument(further, `${further.slice(1, -1)}: id or name`);
  return command
    .option('--account, --account-id <account>', 'the same as the operand')
    .option('--user, --user-id <user>', 'the same as the operand');
}

export interface FriendOperands {
  readonly account: string | undefined;
  readonly user: string;
  /** What stands after the user. */
  readonly further: string | undefined;
}

/** `ACCOUNT USER`, `USER` or `ACCOUNT/USER`, then whatever the command takes more. */
export function friendOperands(operands: readonly string[], options: FriendOptions): FriendOperands {
  const parts = operands.flatMap((operand) => {
    const cut = operand.lastIndexOf('/');
    return cut > 0 && userPattern.test(operand.slice(cut + 1))
      ? [operand.slice(0, cut), operand.slice(cut + 1)]
      : [operand];
  });
  const at = parts.findIndex((part) => userPattern.test(part));
  const user = options.userId ?? parts[at];
  if (user === undefined || !userPattern.test(user)) {
    throw usage(
      user === undefined ? 'No friend is named.' : `"${user}" names no friend.`,
      'Name the account and the friend (U and 32 hexadecimal digits); orgchat friends list shows both.',
    );
  }
  const before = at === -1 ? [] : parts.slice(0, at);
  const after = at === -1 ? parts : parts.slice(at + 1);
  // With --user, what remains is first the account, unless --account says it.
  const account = options.accountId ?? before[0] ?? (at === -1 ? after.shift() : undefined);
  if (before.length > 1 || after.length > 1 || (options.accountId !== undefined && before.length > 0)) {
    throw usage('Too much is named.', 'Give the account, the friend, and no more than the help says.');
  }
  return { account, user, further: after[0] };
}

/** Finds the friend; asks in which account only where that was not said. */
export async function findFriend(context: Context, { account, user }: FriendOperands): Promise<FriendName> {
  if (account !== undefined) {
    return { accountId: await new Lookup(context).id('accounts', account), userId: user };
  }
  const client = await context.client();
  const { records } = await readPage(
    client,
    'friends',
    { userId: user },
    { signal: context.interrupt.signal },
  );
  const found = records.filter((friend) => friend.userId === user);
  const [only, second] = found;
  if (only === undefined)
    throw notFound(`There is no friend ${user}.`, 'See who there is: orgchat friends list');
  if (second !== undefined) {
    const accounts = found.map(({ accountId }) => String(accountId)).join(', ');
    throw usage(
      `The friend ${user} is in several accounts.`,
      `Name one with --account: ${accounts}`,
      'AMBIGUOUS_NAME',
    );
  }
  return { accountId: String(only.accountId), userId: user };
}

export async function readFriend(context: Context, name: FriendName): Promise<Row> {
  return readOne(await context.client(), 'friends', { ...name }, { signal: context.interrupt.signal });
}
