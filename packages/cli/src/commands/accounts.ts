import { limits } from '@orgchat/spec/limits';
import type { Command } from 'commander';
import { action, examples } from '../define-command.ts';
import { readBounded } from '../resources/fetch-records.ts';
import { printBoundedList } from '../resources/print-list.ts';
import { columns } from '../resources/table-columns.ts';

export function configure(command: Command): void {
  const listing = command
    .command('list')
    .alias('ls')
    .description(`list accounts (the API returns at most ${limits.pageSize})`);
  action(listing, async (context) => {
    const client = await context.client();
    const call = { signal: context.interrupt.signal };
    await printBoundedList(
      context,
      await readBounded(client, 'accounts', {}, call),
      'accounts',
      columns.accounts,
    );
  });
  examples(listing, ['orgchat accounts list']);
  examples(command, ['orgchat accounts list'], ['orgchat accounts list --fields id,name --json']);
}
