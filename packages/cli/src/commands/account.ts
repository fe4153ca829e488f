import type { Command } from 'commander';
import { action, examples } from '../action.ts';

export function configure(command: Command): void {
  action(command, async (context) => {
    const client = await context.client();
    await context.output.one(await client.account({ signal: context.interrupt.signal }));
  });
  examples(
    command,
    ['orgchat account'],
    ['orgchat account --json --fields api.used,api.limit', "only this month's use"],
  );
}
