import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import { printList } from '../lists.ts';
import { columns } from '../resources/columns.ts';
import { readPage } from '../resources/reader.ts';

export function configure(command: Command): void {
  const listing = command.command('list').alias('ls').description('list the accounts the key can reach');
  action(listing, async (context) => {
    const client = await context.client();
    const call = { signal: context.interrupt.signal };
    const all = { limit: Number.MAX_SAFE_INTEGER };
    await printList(context, () => readPage(client, 'accounts', {}, call), all, columns.accounts);
  });
  examples(listing, ['orgchat accounts list']);
  examples(command, ['orgchat accounts list'], ['orgchat accounts list --fields id,name --json']);
}
