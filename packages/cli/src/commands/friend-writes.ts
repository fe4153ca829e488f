import { friendStatuses, limits } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { collectWords } from '../args/value-parsers.ts';
import { addChangeOptions, type ChangeOptions } from '../changes/change-options.ts';
import { isSubset, type ValueMatcher } from '../changes/is-subset.ts';
import { JournalMatcher } from '../changes/journal-matcher.ts';
import { runChange } from '../changes/run-change.ts';
import type { Context } from '../context.ts';
import { action, examples } from '../define-command.ts';
import { invalidInputError, usageError } from '../errors/cli-error.ts';
import {
  addFriendOperands,
  type FriendOptions,
  findFriend,
  type ParsedFriend,
  parseFriendOperands,
  readFriend,
} from '../friends/friend-operands.ts';
import { readObject } from '../input/read-input.ts';
import type { Row } from '../output/output.ts';
import type { IdResolver } from '../resources/field-flags.ts';
import { Lookup } from '../resources/lookup.ts';
import { checkSameRecord, type RecordFile, splitRecordFile } from '../resources/record-file.ts';

interface Guard {
  readonly expectRevision?: string | undefined;
  readonly expectLabel?: string | undefined;
}

interface GuardOptions extends FriendOptions, ChangeOptions, Guard {}

function addGuardOptions(command: Command): Command {
  return command
    .option('--expect-revision <revision>', 'fail unless the friend has this revision')
    .option('--expect-label <label>', 'fail unless the friend has this label');
}

interface UpdateOptions extends GuardOptions {
  readonly notes?: string;
  readonly status?: string;
  readonly data?: string;
}

export function update(command: Command): void {
  const updating = addFriendOperands(
    command.command('update').description('update notes or status of a friend'),
  )
    .option('--notes <text>', 'internal notes; "none" clears them')
    .addOption(new Option('--status <status>', 'status of the conversation').choices(friendStatuses))
    .option('--data <file|->', 'data as JSON or YAML, from a file or standard input');
  addChangeOptions(addGuardOptions(updating));
  action<UpdateOptions>(updating, async (context, options, ...operands) => {
    const { data: whole, record } =
      options.data === undefined
        ? { data: {}, record: {} as RecordFile['record'] }
        : splitRecordFile('friends', await readObject(options.data));
    const { tagIds, ...file } = whole;
    const isNamed = operands.length > 0 || options.userId !== undefined;
    const named = parseFriendOperands(isNamed ? operands : getFriendOperands(record), options);
    checkSameRecord(record.userId, named.user, 'userId');
    const { notes, status } = options;
    const data = {
      ...file,
      ...(notes !== undefined && { notes: notes === 'none' ? null : notes }),
      ...(status && { status }),
    };
    if (Object.keys(data).length === 0)
      throw invalidInputError(
        'Nothing to update: --notes, --status and --data are missing.',
        'Pass --notes, --status or --data FILE.',
      );
    const guard: Guard = { expectRevision: record.revision, expectLabel: record.label, ...options };
    const make = async () => {
      const friend = await readFriend(context, await findFriend(context, named));
      checkSameRecord(record.accountId, friend.accountId, 'accountId');
      checkOnlyData({ ...record, tagIds }, friend);
      return { action: 'update-friend', ...formatFriend(friend), ...createFriendGuard(friend, guard), data };
    };
    await runChange(context, options, make, async (known) =>
      isSameFriend(context, named, guard, known, { action: 'update-friend', data }),
    );
  });
  examples(
    updating,
    ['orgchat friends update USER --status resolved'],
    ['orgchat friends update ACCOUNT USER --notes "Prefers mornings."'],
    ['orgchat friends get USER --json > friend.json', 'edit the record, then pass it back'],
    ['orgchat friends update --data friend.json', 'fails if the friend changed since'],
  );
}

/** The operands that name the friend of a file. */
const getFriendOperands = ({ accountId, userId }: Readonly<Record<string, string>>): string[] =>
  [accountId, userId].filter((part) => part !== undefined);

/** Rejects fields that an update cannot change. If the friend changed since, the revision detects it. */
function checkOnlyData(file: Row, friend: Row): void {
  if (file.revision !== undefined && file.revision !== friend.revision) return;
  if (file.tagIds !== undefined && !isSubset(file.tagIds, friend.tagIds))
    throw invalidInputError(
      'The update command cannot change tagIds.',
      'Use: orgchat friends tag USER --set TAG,…',
    );
  if (file.displayName !== undefined && file.displayName !== friend.displayName)
    throw invalidInputError(
      'The update command cannot change displayName: friends choose it themselves.',
      'Restore its previous value in the file.',
    );
}

/** Whether a change in the journal is the requested one: same friend, guards and values. */
async function isSameFriend(
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

interface TagOptions extends GuardOptions {
  readonly tag?: readonly string[];
  readonly remove?: readonly string[];
  readonly set?: readonly string[];
  readonly clear?: true;
}

export function tag(command: Command): void {
  const tagging = addFriendOperands(
    command.command('tag').description('add or remove tags of a friend; may trigger notifications'),
  )
    .option('--tag, --add <tag,…>', 'tags to add: ids or names', collectWords)
    .option('--remove <tag,…>', 'tags to remove', collectWords)
    .option('--set <tag,…>', 'replace all tags by these', collectWords)
    .option('--clear', 'remove all tags');
  addChangeOptions(addGuardOptions(tagging));
  action<TagOptions & { add?: readonly string[] }>(tagging, async (context, options, ...operands) => {
    const named = parseFriendOperands(operands, options);
    const { add = [], remove = [], set, clear } = options;
    if (add.length + remove.length === 0 && !set && !clear)
      throw usageError(
        'No tag specified: --tag, --remove, --set and --clear are missing.',
        'Pass --tag, --remove, --set or --clear.',
      );
    if ((set || clear) && (add.length + remove.length > 0 || (set && clear))) {
      throw usageError(
        '--set and --clear cannot be combined with other tag options.',
        'Pass one of them alone, or --tag and --remove.',
      );
    }
    const lookup = new Lookup(context);
    const idsOf = async (find: IdResolver, names: readonly string[]): Promise<string[]> => {
      const ids: string[] = [];
      for (const name of names) ids.push(await find('tags', name));
      return [...new Set(ids)];
    };
    const make = async () => {
      const find: IdResolver = (resource, name) => lookup.id(resource, name);
      const [added, removed, replaced] = [
        await idsOf(find, add),
        await idsOf(find, remove),
        await idsOf(find, set ?? []),
      ];
      const friend = await readFriend(context, await findFriend(context, named));
      const has = Array.isArray(friend.tagIds) ? friend.tagIds.map(String) : [];
      const kept = [...has, ...added].filter((id) => !removed.includes(id));
      const tagIds = set || clear ? replaced : [...new Set(kept)];
      if (tagIds.length > limits.tagsPerRecord)
        throw invalidInputError(
          `A friend can have at most ${limits.tagsPerRecord} tags.`,
          'Remove some tags with --remove.',
        );
      return {
        action: 'set-friend-tags',
        ...formatFriend(friend),
        ...createFriendGuard(friend, options),
        tagIds,
      };
    };
    await runChange(context, options, make, async (known) => {
      const matcher = new JournalMatcher(lookup);
      const tagIds = Array.isArray(known.tagIds) ? known.tagIds.map(String) : [];
      const [added, removed] = [await idsOf(matcher.id, set ?? add), await idsOf(matcher.id, remove)];
      const remainingTags = removeTags(tagIds, added, matcher.matches);
      if (remainingTags === undefined || ((set || clear) && remainingTags.length > 0)) return false;
      // Which of the missing tags was to be removed is no longer known.
      if (removed.some((id) => !matcher.isPlaceholder(id) && tagIds.includes(id))) return false;
      return isSameFriend(context, named, options, known, { action: 'set-friend-tags' }, matcher);
    });
  });
  examples(
    tagging,
    ['orgchat friends tag USER --tag VIP'],
    ['orgchat friends tag ACCOUNT USER --tag VIP,Regular --remove New'],
    ['orgchat friends tag USER --set VIP', 'only the tag VIP'],
  );
}

/** Removes ids from a list; undefined if one of them is not in it. */
function removeTags(
  ids: readonly string[],
  asked: readonly string[],
  same: ValueMatcher,
): string[] | undefined {
  const remainingTags = [...ids];
  for (const one of asked) {
    const at = remainingTags.findIndex((id) => same(one, id));
    if (at === -1) return undefined;
    remainingTags.splice(at, 1);
  }
  return remainingTags;
}

export function enroll(command: Command): void {
  const enrolling = addFriendOperands(
    command.command('enroll').description('enroll a friend in a scenario; may trigger notifications'),
    '[scenario]',
  ).option('--scenario, --scenario-id <scenario>', 'same as the positional argument');
  addChangeOptions(enrolling);
  action<FriendOptions & ChangeOptions & { scenarioId?: string }>(
    enrolling,
    async (context, options, ...operands) => {
      const named = parseFriendOperands(operands, options);
      const scenario = options.scenarioId ?? named.further;
      if (scenario === undefined)
        throw usageError(
          'No scenario specified: the argument and --scenario are missing.',
          'Pass --scenario NAME.',
        );
      const make = async () => ({
        action: 'enroll-scenario',
        ...(await findFriend(context, named)),
        scenarioId: await new Lookup(context).id('scenarios', scenario),
      });
      await runChange(context, options, make, async (known) => {
        const matcher = new JournalMatcher(new Lookup(context));
        const scenarioId = await matcher.id('scenarios', scenario);
        return isSameFriend(context, named, {}, known, { action: 'enroll-scenario', scenarioId }, matcher);
      });
    },
  );
  examples(enrolling, ['orgchat friends enroll USER --scenario "Welcome series"']);
}

const formatFriend = ({ accountId, userId }: Readonly<Record<string, unknown>>) => ({ accountId, userId });

const createFriendGuard = (friend: Readonly<Record<string, unknown>>, options: Guard) => ({
  expectedRevision: options.expectRevision ?? friend.revision,
  expectedLabel: options.expectLabel ?? friend.label,
});
