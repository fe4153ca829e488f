import { friendStatuses, limits } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { action, examples } from '../action.ts';
import { addChangeOptions, type ChangeOptions, runChange } from '../changes.ts';
import { invalidInput, usage } from '../failure.ts';
import {
  addFriendOperands,
  type FriendOptions,
  findFriend,
  friendOperands,
  readFriend,
} from '../friend-names.ts';
import { readObject } from '../input.ts';
import { addListOptions, type ListOptions, patientMs, printList } from '../lists.ts';
import { Lookup } from '../lookup.ts';
import { collectWords, integer } from '../parsers.ts';
import { columns } from '../resources/columns.ts';
import { readPage } from '../resources/reader.ts';
import { isSubset } from '../resources/subset.ts';

interface GuardOptions extends FriendOptions, ChangeOptions {
  readonly expectRevision?: string;
  readonly expectLabel?: string;
}

export function configure(command: Command): void {
  list(command);
  get(command);
  update(command);
  tag(command);
  enroll(command);
  messages(command);
  automations(command);
}

function addGuardOptions(command: Command): Command {
  return command
    .option('--expect-revision <revision>', 'change the friend only while it has this revision')
    .option('--expect-label <label>', 'change the friend only while it has this label');
}

function list(command: Command): void {
  const listing = addListOptions(
    command.command('list').alias('ls').description('list friends, newest first'),
  ).option('--account, --account-id <account>', 'of one account: id or name');
  action<ListOptions & FriendOptions>(listing, async (context, options) => {
    const client = await context.client();
    const { accountId, search, ...paging } = options;
    const account =
      accountId === undefined ? {} : { accountId: await new Lookup(context).id('accounts', accountId) };
    const query = { ...account, ...(search !== undefined && { search }) };
    const call = { signal: context.interrupt.signal, timeoutMs: options.all ? patientMs : undefined };
    // The API itself searches friends, so the list that comes is the list that is meant.
    await printList(
      context,
      (offset, limit) => readPage(client, 'friends', { ...query, offset, limit }, call),
      paging,
      columns.friends,
    );
  });
  examples(
    listing,
    ['orgchat friends list --search mika'],
    ['orgchat friends list --all --format ndjson', 'every friend, one a line, as they come'],
  );
}

function get(command: Command): void {
  const getting = addFriendOperands(command.command('get').description('print one friend'));
  action<FriendOptions>(getting, async (context, options, ...operands) => {
    await context.output.one(
      await readFriend(context, await findFriend(context, friendOperands(operands, options))),
    );
  });
  examples(
    getting,
    ['orgchat friends get ACCOUNT USER'],
    ['orgchat friends get USER', 'where only one account has this friend'],
  );
}

interface UpdateOptions extends GuardOptions {
  readonly notes?: string;
  readonly status?: string;
  readonly data?: string;
}

function update(command: Command): void {
  const updating = addFriendOperands(
    command.command('update').description("change a friend's notes or state"),
  )
    .option('--notes <text>', 'notes of the members, or none')
    .addOption(new Option('--status <status>', 'the state of the conversation').choices(friendStatuses))
    .option('--data <file|->', 'the data as JSON or YAML, from a file or standard input');
  addChangeOptions(addGuardOptions(updating));
  action<UpdateOptions>(updating, async (context, options, ...operands) => {
    const named = friendOperands(operands, options);
    const file = options.data === undefined ? {} : await readObject(options.data);
    const { notes, status } = options;
    const data = {
      ...file,
      ...(notes !== undefined && { notes: notes === 'none' ? null : notes }),
      ...(status && { status }),
    };
    if (Object.keys(data).length === 0)
      throw invalidInput('Nothing was given to change.', 'Give --notes, --status or --data FILE.');
    const make = async () => {
      const friend = await readFriend(context, await findFriend(context, named));
      return { action: 'update-friend', ...nameOf(friend), ...guardOf(friend, options), data };
    };
    await runChange(context, options, make, (known) =>
      isSubset({ action: 'update-friend', userId: named.user, data }, known),
    );
  });
  examples(
    updating,
    ['orgchat friends update USER --status resolved'],
    ['orgchat friends update ACCOUNT USER --notes "Prefers mornings."'],
  );
}

interface TagOptions extends GuardOptions {
  readonly tag?: readonly string[];
  readonly remove?: readonly string[];
  readonly set?: readonly string[];
  readonly clear?: true;
}

function tag(command: Command): void {
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
    const lookup = new Lookup(context);
    const idsOf = async (names: readonly string[] = []): Promise<string[]> => {
      const ids: string[] = [];
      for (const name of names) ids.push(await lookup.id('tags', name));
      return ids;
    };
    const { add, remove, set, clear } = options;
    if (!add && !remove && !set && !clear)
      throw usage('No tag is named.', 'Give --tag, --remove, --set or --clear.');
    if ((set || clear) && (add || remove || (set && clear))) {
      throw usage(
        '--set and --clear say all there is to say.',
        'Give one of them alone, or --tag and --remove.',
      );
    }
    const [added, removed, replaced] = [await idsOf(add), await idsOf(remove), set && (await idsOf(set))];
    const make = async () => {
      const friend = await readFriend(context, await findFriend(context, named));
      const has = Array.isArray(friend.tagIds) ? friend.tagIds.map(String) : [];
      const kept = clear ? [] : [...has, ...added].filter((id) => !removed.includes(id));
      const tagIds = [...new Set(replaced ?? kept)];
      if (tagIds.length > limits.tagIds)
        throw invalidInput(`A friend can have ${limits.tagIds} tags.`, 'Remove some with --remove.');
      return { action: 'set-friend-tags', ...nameOf(friend), ...guardOf(friend, options), tagIds };
    };
    await runChange(context, options, make, (known) => {
      const tagIds = Array.isArray(known.tagIds) ? known.tagIds : [];
      const whole = clear ? [] : replaced;
      const same = whole === undefined || (tagIds.length === whole.length && isSubset(whole, tagIds));
      const fits = added.every((id) => tagIds.includes(id)) && !removed.some((id) => tagIds.includes(id));
      return isSubset({ action: 'set-friend-tags', userId: named.user }, known) && same && fits;
    });
  });
  examples(
    tagging,
    ['orgchat friends tag USER --tag VIP'],
    ['orgchat friends tag ACCOUNT USER --tag VIP,Regular --remove New'],
    ['orgchat friends tag USER --set VIP', 'VIP and no other tag'],
  );
}

function enroll(command: Command): void {
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
      const scenarioId = await new Lookup(context).id('scenarios', scenario);
      const make = async () => ({
        action: 'enroll-scenario',
        ...(await findFriend(context, named)),
        scenarioId,
      });
      await runChange(context, options, make, (known) =>
        isSubset({ action: 'enroll-scenario', userId: named.user, scenarioId }, known),
      );
    },
  );
  examples(enrolling, ['orgchat friends enroll USER --scenario "Welcome series"']);
}

function messages(command: Command): void {
  const reading = addFriendOperands(
    command.command('messages').description('the latest messages with a friend, newest first'),
  ).option('--limit <n>', `how many at most (default ${limits.pageSize})`, integer(1, limits.pageSize));
  action<FriendOptions & { limit?: number }>(reading, async (context, options, ...operands) => {
    const name = await findFriend(context, friendOperands(operands, options));
    const client = await context.client();
    const call = { signal: context.interrupt.signal };
    const query = { ...name, limit: options.limit ?? limits.pageSize };
    await printList(
      context,
      () => readPage(client, 'messages', query, call),
      { limit: query.limit },
      columns.messages,
    );
  });
  examples(reading, ['orgchat friends messages USER --limit 10']);
}

function automations(command: Command): void {
  const reading = addFriendOperands(
    command.command('automations').description('the scenarios a friend is or was in'),
  );
  action<FriendOptions>(reading, async (context, options, ...operands) => {
    const name = await findFriend(context, friendOperands(operands, options));
    const client = await context.client();
    const call = { signal: context.interrupt.signal };
    const all = { limit: Number.MAX_SAFE_INTEGER };
    await printList(
      context,
      () => readPage(client, 'friend-automations', { ...name }, call),
      all,
      columns['friend-automations'],
    );
  });
  examples(reading, ['orgchat friends automations ACCOUNT USER']);
}

const nameOf = ({ accountId, userId }: Readonly<Record<string, unknown>>) => ({ accountId, userId });

const guardOf = (friend: Readonly<Record<string, unknown>>, options: GuardOptions) => ({
  expectedRevision: options.expectRevision ?? friend.revision,
  expectedLabel: options.expectLabel ?? friend.label,
});
