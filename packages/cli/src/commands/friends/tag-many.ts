import type { BulkItemContext, Friend, Guarded } from '@orgchat/sdk';
import { endWaitsOnly, haveSameIds } from '@orgchat/sdk/internal';
import { createUnchanged } from '../../changes/change-document.ts';
import { checkDryRun } from '../../changes/change-options.ts';
import { createFingerprint } from '../../changes/fingerprint.ts';
import { runMany } from '../../changes/run-many.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/cli-error.ts';
import { type FriendId, findFriend } from '../../friends/friend-operands.ts';
import { type ListedFriend, readFriendList } from '../../friends/read-friend-list.ts';
import { requireYesForInput } from '../../input/prompt.ts';
import { readText } from '../../input/read-input.ts';
import type { Row } from '../../output/output.ts';
import { getLookup, type Lookup } from '../../resources/lookup.ts';
import type { GuardOptions } from './friend-guard.ts';
import { readTagEdit, type TagEdit, type TagFlags } from './tag-edit.ts';

/** Changes the tags of the friends on standard input. */
export async function tagMany(
  context: Context,
  options: TagFlags & GuardOptions,
  operands: readonly string[],
): Promise<void> {
  checkOptions(options, operands);
  checkDryRun(options, context.output);
  if (!options.dryRun) requireYesForInput('Change the tags of all listed friends?', context.options.yes);
  const friends = readFriendList(await readText('-'));
  const lookup = getLookup(context);
  const edit = await readTagEdit(lookup, options);
  const items = await withAccountIds(lookup, friends, options.accountId);
  if (options.dryRun) {
    context.output.note('Nothing was sent (--dry-run).');
    await context.output.one({ friends: items, ...edit.ids });
    return;
  }
  await runMany(context, {
    what: 'friends',
    items,
    identify: ({ accountId = null, userId }) => ({ accountId, userId }),
    change: async (item, { intent }) => {
      const friend = await toFriendId(context, item);
      // Under a name that was given, each friend has an id of its own, whatever its place in the list.
      const { intent: name } = options;
      const isNamed = name !== undefined;
      const own = isNamed ? ['orgchat cli', name, friend.accountId, friend.userId] : intent;
      return { ...friend, ...(await tagOne(context, friend, edit, { intent: own, isNamed })) };
    },
    columns: ['displayName', 'outcome', 'userId', 'error.message', 'operationId'],
  });
}

function checkOptions(options: TagFlags & GuardOptions, operands: readonly string[]): void {
  if (operands.length > 1 || options.userId !== undefined)
    throw usageError(
      '"-" reads the friends from standard input, but another one is named as well.',
      'Pass only -, and --account NAME for ids without an account.',
    );
  const { operationId, expectRevision, expectLabel } = options;
  if ((operationId ?? expectRevision ?? expectLabel) !== undefined)
    throw usageError(
      '--operation-id, --expect-revision and --expect-label are about one friend, but "-" reads several.',
      'Remove them. With --intent NAME, a repeated run changes each friend once.',
    );
}

/** A friend of the list; without an account, it is found when its turn comes. */
interface Item {
  readonly accountId: string | undefined;
  readonly userId: string;
}

/** Replaces names of accounts by ids, and drops friends that are named twice. */
async function withAccountIds(
  lookup: Lookup,
  friends: readonly ListedFriend[],
  fallback: string | undefined,
): Promise<Item[]> {
  const items = new Map<string, Item>();
  for (const { account = fallback, user: userId } of friends) {
    const accountId = account === undefined ? undefined : await lookup.id('accounts', account);
    items.set(`${accountId} ${userId}`, { accountId, userId });
  }
  return [...items.values()];
}

const toFriendId = async (context: Context, { accountId, userId }: Item): Promise<FriendId> =>
  accountId === undefined
    ? findFriend(context, { account: undefined, user: userId, further: undefined })
    : { accountId, userId };

/** Thrown where the SDK asks for the new tags of a friend that has them already. */
class Unchanged extends Error {
  constructor(readonly friend: Guarded<Friend>) {
    super('The friend has these tags.');
  }
}

async function tagOne(
  context: Context,
  friend: FriendId,
  edit: TagEdit,
  { intent, isNamed }: { readonly intent: BulkItemContext['intent']; readonly isNamed: boolean },
): Promise<Row> {
  const client = await context.client();
  const toNewTags = (tagIds: readonly string[], current: Guarded<Friend>): readonly string[] => {
    const wanted = edit.apply(tagIds);
    if (!isNamed && haveSameIds(wanted, tagIds)) throw new Unchanged(current);
    return wanted;
  };
  // A name that was used for other tags is refused.
  const fingerprint = createFingerprint(['tag', edit.ids]);
  const call = {
    intent,
    fingerprint,
    timeoutMs: context.bulkTimeoutMs,
    ...endWaitsOnly(context.interrupt.signal),
  };
  try {
    const outcome = await client.friends.editTags(friend, toNewTags, call);
    return { displayName: outcome.result?.displayName, outcome: 'applied', ...outcome };
  } catch (error) {
    if (!(error instanceof Unchanged)) throw error;
    return { displayName: error.friend.displayName, ...createUnchanged({ ...error.friend }) };
  }
}
