import { friendStatuses, limits } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { action, examples } from '../action.ts';
import { addChangeOptions, type ChangeOptions, runChange } from '../changes.ts';
import type { Context } from '../context.ts';
import { invalidInput, usage } from '../failure.ts';
import {
  addFriendOperands,
  type FriendOperands,
  type FriendOptions,
  findFriend,
  friendOperands,
  readFriend,
} from '../friend-names.ts';
import { readObject } from '../input.ts';
import { Lookup } from '../lookup.ts';
import type { Row } from '../output/output.ts';
import { collectWords } from '../parsers.ts';
import { Recall } from '../recall.ts';
import { checkSameRecord, type Given, givenIn, type ResolveId } from '../resources/collect-data.ts';
import { isSubset, type Same } from '../resources/subset.ts';

interface Guard {
  readonly expectRevision?: string | undefined;
  readonly expectLabel?: string | undefined;
}

interface GuardOptions extends FriendOptions, ChangeOptions, Guard {}

function addGuardOptions(command: Command): Command {
  return command
    .option('--expect-revision <revision>', 'change the friend only while it has this revision')
    .option('--expect-label <label>', 'change the friend only while it has this label');
}

interface UpdateOptions extends GuardOptions {
  readonly notes?: string;
  readonly status?: string;
  readonly data?: string;
}

export function update(command: Command): void {
  const updating = addFriendOperands(
    command.command('update').description("change a friend's notes or state"),
  )
    .option('--notes <text>', 'notes of the members, or none')
    .addOption(new Option('--status <status>', 'the state of the conversation').choices(friendStatuses))
    .option('--data <file|->', 'the data as JSON or YAML, from a file or standard input');
  addChangeOptions(addGuardOptions(updating));
  action<UpdateOptions>(updating, async (context, options, ...operands) => {
    const { data: whole, record } =
      options.data === undefined
        ? { data: {}, record: {} as Given['record'] }
        : givenIn('friends', await readObject(options.data));
    const { tagIds, ...file } = whole;
    const isNamed = operands.length > 0 || options.userId !== undefined;
    const named = friendOperands(isNamed ? operands : friendIn(record), options);
    checkSameRecord(record.userId, named.user, 'userId');
    const { notes, status } = options;
    const data = {
      ...file,
      ...(notes !== undefined && { notes: notes === 'none' ? null : notes }),
      ...(status && { status }),
    };
    if (Object.keys(data).length === 0)
      throw invalidInput('Nothing was given to change.', 'Give --notes, --status or --data FILE.');
    const guard: Guard = { expectRevision: record.revision, expectLabel: record.label, ...options };
    const make = async () => {
      const friend = await readFriend(context, await findFriend(context, named));
      checkSameRecord(record.accountId, friend.accountId, 'accountId');
      checkOnlyData({ ...record, tagIds }, friend);
      return { action: 'update-friend', ...nameOf(friend), ...guardOf(friend, guard), data };
    };
    await runChange(context, options, make, async (known) =>
      sameFriend(context, named, guard, known, { action: 'update-friend', data }),
    );
  });
  examples(
    updating,
    ['orgchat friends update USER --status resolved'],
    ['orgchat friends update ACCOUNT USER --notes "Prefers mornings."'],
    ['orgchat friends get USER --json > friend.json', 'what was read can be edited and given back'],
    ['orgchat friends update --data friend.json', 'its revision and label guard it'],
  );
}

/** The operands that name the friend of a file. */
const friendIn = ({ accountId, userId }: Readonly<Record<string, string>>): string[] =>
  [accountId, userId].filter((part) => part !== undefined);

/** Refuses an edit of what an update does not change. Where the friend changed since, its revision says so. */
function checkOnlyData(file: Row, friend: Row): void {
  if (file.revision !== undefined && file.revision !== friend.revision) return;
  if (file.tagIds !== undefined && !isSubset(file.tagIds, friend.tagIds))
    throw invalidInput('An update does not change tagIds.', 'Set them: orgchat friends tag USER --set TAG,…');
  if (file.displayName !== undefined && file.displayName !== friend.displayName)
    throw invalidInput(
      'An update does not change displayName: it is the friend’s own.',
      'Leave it as it was.',
    );
}

/** Whether a journaled change is to this friend, under these guards, and says what is asked for. */
async function sameFriend(
  context: Context,
  { account, user }: FriendOperands,
  { expectRevision, expectLabel }: Guard,
  known: Row,
  asked: Row,
  recall = new Recall(new Lookup(context)),
): Promise<boolean> {
  const accountId = account === undefined ? undefined : await recall.id('accounts', account);
  const guards = { expectedRevision: expectRevision, expectedLabel: expectLabel };
  return isSubset({ ...asked, userId: user, accountId, ...guards }, known, recall.same);
}

interface TagOptions extends GuardOptions {
  readonly tag?: readonly string[];
  readonly remove?: readonly string[];
  readonly set?: readonly string[];
  readonly clear?: true;
}

export function tag(command: Command): void {
  const tagging = addFriendOperands(
    command.command('tag').description('add or remove tags of a friend; may start notifications'),
  )
    .option('--tag, --add <tag,…>', 'add these: ids or names', collectWords)
    .option('--remove <tag,…>', 'remove these', collectWords)
    .option('--set <tag,…>', 'let the friend have these and no others', collectWords)
    .option('--clear', 'remove all');
  addChangeOptions(addGuardOptions(tagging));
  action<TagOptions & { add?: readonly string[] }>(tagging, async (context, options, ...operands) => {
    const named = friendOperands(operands, options);
    const { add = [], remove = [], set, clear } = options;
    if (add.length + remove.length === 0 && !set && !clear)
      throw usage('No tag is named.', 'Give --tag, --remove, --set or --clear.');
    if ((set || clear) && (add.length + remove.length > 0 || (set && clear))) {
      throw usage(
        '--set and --clear say all there is to say.',
        'Give one of them alone, or --tag and --remove.',
      );
    }
    const lookup = new Lookup(context);
    const idsOf = async (find: ResolveId, names: readonly string[]): Promise<string[]> => {
      const ids: string[] = [];
      for (const name of names) ids.push(await find('tags', name));
      return [...new Set(ids)];
    };
    const make = async () => {
      const find: ResolveId = (resource, name) => lookup.id(resource, name);
      const [added, removed, replaced] = [
        await idsOf(find, add),
        await idsOf(find, remove),
        await idsOf(find, set ?? []),
      ];
      const friend = await readFriend(context, await findFriend(context, named));
      const has = Array.isArray(friend.tagIds) ? friend.tagIds.map(String) : [];
      const kept = [...has, ...added].filter((id) => !removed.includes(id));
      const tagIds = set || clear ? replaced : [...new Set(kept)];
      if (tagIds.length > limits.tagIds)
        throw invalidInput(`A friend can have ${limits.tagIds} tags.`, 'Remove some with --remove.');
      return { action: 'set-friend-tags', ...nameOf(friend), ...guardOf(friend, options), tagIds };
    };
    await runChange(context, options, make, async (known) => {
      const recall = new Recall(lookup);
      const tagIds = Array.isArray(known.tagIds) ? known.tagIds.map(String) : [];
      const [added, removed] = [await idsOf(recall.id, set ?? add), await idsOf(recall.id, remove)];
      const left = without(tagIds, added, recall.same);
      if (left === undefined || ((set || clear) && left.length > 0)) return false;
      // Which of those that are gone was to be removed can no longer be told.
      if (removed.some((id) => !recall.isStandIn(id) && tagIds.includes(id))) return false;
      return sameFriend(context, named, options, known, { action: 'set-friend-tags' }, recall);
    });
  });
  examples(
    tagging,
    ['orgchat friends tag USER --tag VIP'],
    ['orgchat friends tag ACCOUNT USER --tag VIP,Regular --remove New'],
    ['orgchat friends tag USER --set VIP', 'VIP and no other tag'],
  );
}

/** What is left of the ids when each of those asked for was found among them; undefined where one is not there. */
function without(ids: readonly string[], asked: readonly string[], same: Same): string[] | undefined {
  const left = [...ids];
  for (const one of asked) {
    const at = left.findIndex((id) => same(one, id));
    if (at === -1) return undefined;
    left.splice(at, 1);
  }
  return left;
}

export function enroll(command: Command): void {
  const enrolling = addFriendOperands(
    command.command('enroll').description('enter a friend into a scenario; may start notifications'),
    '[scenario]',
  ).option('--scenario, --scenario-id <scenario>', 'the same as the operand');
  addChangeOptions(enrolling);
  action<FriendOptions & ChangeOptions & { scenarioId?: string }>(
    enrolling,
    async (context, options, ...operands) => {
      const named = friendOperands(operands, options);
      const scenario = options.scenarioId ?? named.further;
      if (scenario === undefined) throw usage('No scenario is named.', 'Give --scenario NAME.');
      const make = async () => ({
        action: 'enroll-scenario',
        ...(await findFriend(context, named)),
        scenarioId: await new Lookup(context).id('scenarios', scenario),
      });
      await runChange(context, options, make, async (known) => {
        const recall = new Recall(new Lookup(context));
        const scenarioId = await recall.id('scenarios', scenario);
        return sameFriend(context, named, {}, known, { action: 'enroll-scenario', scenarioId }, recall);
      });
    },
  );
  examples(enrolling, ['orgchat friends enroll USER --scenario "Welcome series"']);
}

const nameOf = ({ accountId, userId }: Readonly<Record<string, unknown>>) => ({ accountId, userId });

const guardOf = (friend: Readonly<Record<string, unknown>>, options: Guard) => ({
  expectedRevision: options.expectRevision ?? friend.revision,
  expectedLabel: options.expectLabel ?? friend.label,
});
