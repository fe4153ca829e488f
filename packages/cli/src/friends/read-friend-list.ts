import { isObject } from '@orgchat/spec/is-object';
import { patterns } from '@orgchat/spec/patterns';
import { invalidInputError } from '../errors/cli-error.ts';
import { parseJson, RepeatedKeyError } from '../input/json.ts';

/** A friend of a list. The account is an id or a name; undefined if the list does not give it. */
export interface ListedFriend {
  readonly account: string | undefined;
  readonly user: string;
}

/** A line that names no friend. */
interface InvalidLine {
  readonly line: number;
  readonly problem: string;
}

/** How many invalid lines an error lists. */
const maxListed = 10;

/**
 * Reads friends, one per line: `USER`, `ACCOUNT/USER`, `ACCOUNT USER`, or a JSON object with `userId` and maybe `accountId`, as
 * the lists of friends have. Each friend counts once. Throws if a line is anything else.
 */
export function readFriendList(text: string): ListedFriend[] {
  const friends = new Map<string, ListedFriend>();
  const invalid: InvalidLine[] = [];
  for (const [index, source] of text.split(/\r?\n/).entries()) {
    const trimmed = source.trim();
    if (trimmed === '') continue;
    const friend = parseLine(trimmed);
    if (typeof friend === 'string') invalid.push({ line: index + 1, problem: friend });
    else friends.set(JSON.stringify([friend.account, friend.user]), friend);
  }
  if (invalid.length > 0) throw invalidListError(invalid);
  if (friends.size === 0)
    throw invalidInputError('No friends found in the input "-".', 'Pass at least one friend, one per line.');
  return [...friends.values()];
}

/** Parses a line to a friend, or to what is wrong with it. */
function parseLine(line: string): ListedFriend | string {
  if (line.startsWith('{')) return parseFriend(line);
  const [, account, user = line] = /^(.+)[/\s]([^/\s]+)$/.exec(line) ?? [];
  if (patterns.friendId.test(user)) return { account: account?.trim(), user };
  return 'not a friend id (U followed by 32 hex digits)';
}

function parseFriend(line: string): ListedFriend | string {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    return error instanceof RepeatedKeyError ? 'a key is in it twice' : 'not valid JSON';
  }
  const { userId, accountId } = isObject(value) ? value : {};
  if (typeof userId !== 'string' || !patterns.friendId.test(userId)) return 'it has no userId';
  if (accountId !== undefined && (typeof accountId !== 'string' || accountId.trim() === ''))
    return 'its accountId is not a text';
  return { account: accountId, user: userId };
}

function invalidListError(invalid: readonly InvalidLine[]) {
  const more = invalid.length > maxListed ? [`and ${invalid.length - maxListed} more`] : [];
  return invalidInputError(
    `Lines of the input "-" that name no friend: ${invalid.length}. Nothing was sent.`,
    'Pass ids, ACCOUNT/USER, or the output of: orgchat friends list --format ndjson',
    { invalid: invalid.slice(0, maxListed) },
    [...invalid.slice(0, maxListed).map(({ line, problem }) => `line ${line}: ${problem}`), ...more],
  );
}
