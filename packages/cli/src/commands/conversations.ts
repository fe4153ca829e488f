import { limits } from '@orgchat/spec/limits';
import type { Command } from 'commander';
import { action, examples } from '../define-command.ts';
import { readBounded } from '../resources/fetch-records.ts';
import { getLookup } from '../resources/lookup.ts';
import { printBoundedList } from '../resources/print-list.ts';
import { columns } from '../resources/table-columns.ts';

export function configure(command: Command): void {
  const listing = command
    .command('list')
    .alias('ls')
    .description(`list the latest conversations (the API returns at most ${limits.pageSize})`)
    .option('--account, --account-id <account>', 'only this account: id or name');
  action<{ accountId?: string }>(listing, async (context, options) => {
    const client = await context.client();
    const call = { signal: context.interrupt.signal };
    const { accountId: named } = options;
    const query = named === undefined ? {} : { accountId: await getLookup(context).id('accounts', named) };
    await printBoundedList(
      context,
      await readBounded(client, 'conversations', query, call),
      'conversations',
      columns.conversations,
    );
  });
  examples(listing, ['orgchat conversations list'], ['orgchat conversations list --account ID']);
  examples(
    command,
    ['orgchat conversations list'],
    ['orgchat conversations list --json | jq -r \'.[] | select(.status == "unread") | .displayName\''],
  );
}
