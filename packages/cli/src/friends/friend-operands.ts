import { patterns } from '@orgchat/spec/patterns';
import type { Command } from 'commander';
import { toShellWord } from '../args/shell-word.ts';
import type { Context } from '../context.ts';
import { type CliError, notFoundError, usageError } from '../errors/cli-error.ts';
import type { Row } from '../output/output.ts';
import { readOne, readPage } from '../resources/fetch-records.ts';
import { getLookup } from '../resources/lookup.ts';

export interface FriendOptions {
  readonly accountId?: string;
  readonly userId?: string;
}

export interface FriendId {
  readonly accountId: string;
  readonly userId: string;
}

/** Whether an operand has a user id in it: `USER` or `ACCOUNT/USER`. */
export const containsUserId = (operand: string): boolean =>
  patterns.friendId.test(operand.slice(operand.lastIndexOf('/') + 1));

/** Adds the arguments that identify a friend: account and user. The account is optional if only one has the user. */
export function addFriendOperands(
  command: Command,
  further?: string,
  friend = 'friend: U followed by 32 hex digits',
): Command {
  command
    .argument('[account]', 'account: id or name; optional if only one account has the friend')
    .argument('[user]', friend);
  if (further !== undefined) command.argument(further, `${further.slice(1, -1)}: id or name`);
  return command
    .option('--account, --account-id <account>', 'same as the positional argument')
    .option('--user, --user-id <user>', 'same as the positional argument');
}

export interface ParsedFriend {
  readonly account: string | undefined;
  readonly user: string;
  /** The argument after the user. */
  readonly further: string | undefined;
}

/** Parses `ACCOUNT USER`, `USER` or `ACCOUNT/USER`, followed by another argument of the command. */
export function parseFriendOperands(operands: readonly string[], options: FriendOptions): ParsedFriend {
  const parts = operands.flatMap((operand) => {
    const cut = operand.lastIndexOf('/');
    return cut > 0 && patterns.friendId.test(operand.slice(cut + 1))
      ? [operand.slice(0, cut), operand.slice(cut + 1)]
      : [operand];
  });
  const at = parts.findIndex((part) => patterns.friendId.test(part));
  const user = options.userId ?? parts[at];
  if (user === undefined || !patterns.friendId.test(user)) {
    throw notAFriendIdError(user === undefined ? parts : [user]);
  }
  const before = at === -1 ? [] : parts.slice(0, at);
  const after = at === -1 ? parts : parts.slice(at + 1);
  // With --user, the first remaining argument is the account, unless --account is set.
  const account = options.accountId ?? before[0] ?? (at === -1 ? after.shift() : undefined);
  if (before.length > 1 || after.length > 1 || (options.accountId !== undefined && before.length > 0)) {
    throw usageError(
      `Too many arguments: ${operands.join(' ')}.`,
      'Pass the account, the friend, and the arguments shown by --help.',
    );
  }
  return { account, user, further: after[0] };
}

function notAFriendIdError(given: readonly string[]): CliError {
  const [name] = given;
  if (name === undefined) {
    return usageError(
      'No friend specified.',
      'Pass the account and the friend id. List both: orgchat friends list',
    );
  }
  const names = given.map((word) => `"${word}"`).join(', ');
  const id = 'a friend id (U followed by 32 hex digits)';
  if (given.length > 1) {
    return usageError(
      `No argument is ${id}: ${names}.`,
      'Changes require the id. Find it: orgchat friends get NAME',
    );
  }
  return usageError(
    `${names} is not ${id}.`,
    `Changes require the id. Find it: orgchat friends get ${toShellWord(name)}`,
  );
}

/** Finds the account of a friend, by a request only if it was not given. */
export async function findFriend(context: Context, { account, user }: ParsedFriend): Promise<FriendId> {
  if (account !== undefined) {
    return { accountId: await getLookup(context).id('accounts', account), userId: user };
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
    throw notFoundError(`No friend with id ${user}.`, 'List friends: orgchat friends list');
  if (second !== undefined) {
    const accounts = found.map(({ accountId }) => String(accountId)).join(', ');
    throw usageError(
      `Friend ${user} exists in several accounts.`,
      `Choose one with --account: ${accounts}`,
      'AMBIGUOUS_NAME',
    );
  }
  return { accountId: String(only.accountId), userId: user };
}

export async function readFriend(context: Context, name: FriendId): Promise<Row> {
  return readOne(await context.client(), 'friends', { ...name }, { signal: context.interrupt.signal });
}
