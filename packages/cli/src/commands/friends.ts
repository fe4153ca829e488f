import { friendStatuses, limits } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { integer } from '../args/value-parsers.ts';
import { action, examples } from '../define-command.ts';
import { findFriendToRead, withTagNames } from '../friends/find-friend.ts';
import { createFriendFilter, type FriendFilter } from '../friends/friend-filter.ts';
import { addFriendOperands, type FriendOptions, readFriend } from '../friends/friend-operands.ts';
import { listPages, readBounded } from '../resources/fetch-records.ts';
import { getLookup } from '../resources/lookup.ts';
import { addListOptions, printBoundedList, printList } from '../resources/print-list.ts';
import type { ListOptions } from '../resources/read-list.ts';
import { columns } from '../resources/table-columns.ts';
import { enroll } from './friends/enroll.ts';
import { tag } from './friends/tag.ts';
import { update } from './friends/update.ts';

export function configure(command: Command): void {
  list(command);
  get(command);
  update(command);
  tag(command);
  enroll(command);
  messages(command);
  automations(command);
  examples(
    command,
    ['orgchat friends list --search mika'],
    ['orgchat friends tag USER --tag VIP', 'tags by name or id'],
    ['orgchat friends messages USER --limit 10'],
  );
}

function list(command: Command): void {
  const listing = addListOptions(
    command.command('list').alias('ls').description('list friends, newest first'),
  )
    .option('--account, --account-id <account>', 'only friends of this account: id or name')
    .addOption(new Option('--status <status>', 'only friends with this status').choices(friendStatuses))
    .option('--tag <tag,…>', 'only friends with all of these tags: ids or names; repeatable');
  action<ListOptions & FriendOptions & FriendFilter>(listing, async (context, options) => {
    const client = await context.client();
    const { accountId, search, status, tag: tags, ...paging } = options;
    const lookup = getLookup(context);
    const account = accountId === undefined ? {} : { accountId: await lookup.id('accounts', accountId) };
    const query = { ...account, ...(search !== undefined && { search }) };
    const call = context.createListCall(options.all);
    const filter = await createFriendFilter(context, lookup, { status, tag: tags });
    // The API searches friends itself, so the list is not searched here.
    await printList(
      context,
      listPages(client, 'friends', query, call),
      { ...paging, filter },
      'friends',
      columns.friends,
    );
  });
  examples(
    listing,
    ['orgchat friends list --search mika'],
    ['orgchat friends list --status unread --tag VIP', 'reads pages until there are enough'],
    ['orgchat friends list --all --format ndjson', 'all friends, one per line, streamed'],
  );
}

/** Commands that change nothing also accept a display name. */
const addReadOperands = (command: Command): Command =>
  addFriendOperands(command, undefined, 'friend: user id (U followed by 32 hex digits) or display name');

function get(command: Command): void {
  const getting = addReadOperands(command.command('get').description('show a friend'));
  action<FriendOptions>(getting, async (context, options, ...operands) => {
    const friend = await readFriend(context, await findFriendToRead(context, operands, options));
    // JSON stays the record as the API has it, so that it can be edited and sent back.
    const { fields, isView } = context.output;
    const isNamed = isView || fields?.includes('tags') === true;
    await context.output.one(isNamed ? await withTagNames(context, friend) : friend);
  });
  examples(
    getting,
    ['orgchat friends get ACCOUNT USER'],
    ['orgchat friends get USER', 'if only one account has this friend'],
    ['orgchat friends get "Emi Sato"', 'by display name, if only one friend has it'],
    ['orgchat friends get USER --fields displayName,tags --json', 'includes the names of the tags'],
  );
}

function messages(command: Command): void {
  const reading = addReadOperands(
    command.command('messages').description('list the latest messages with a friend, newest first'),
  ).option(
    '--limit <n>',
    `maximum number of records (default ${limits.pageSize})`,
    integer(1, limits.pageSize),
  );
  action<FriendOptions & { limit?: number }>(reading, async (context, options, ...operands) => {
    const name = await findFriendToRead(context, operands, options);
    const client = await context.client();
    const call = { signal: context.interrupt.signal };
    const { limit = limits.pageSize } = options;
    await printBoundedList(
      context,
      await readBounded(client, 'messages', { ...name, limit }, call),
      'messages',
      columns.messages,
      limit < limits.pageSize
        ? `Use --limit ${limits.pageSize} to show the latest ${limits.pageSize}.`
        : undefined,
    );
  });
  examples(reading, ['orgchat friends messages USER --limit 10']);
}

function automations(command: Command): void {
  const reading = addReadOperands(
    command.command('automations').description('list the scenarios of a friend'),
  );
  action<FriendOptions>(reading, async (context, options, ...operands) => {
    const name = await findFriendToRead(context, operands, options);
    const client = await context.client();
    const call = { signal: context.interrupt.signal };
    await printBoundedList(
      context,
      await readBounded(client, 'friend-automations', { ...name }, call),
      'scenarios of this friend',
      columns['friend-automations'],
    );
  });
  examples(reading, ['orgchat friends automations ACCOUNT USER']);
}
