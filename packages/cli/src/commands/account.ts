import type { Command } from 'commander';
import { action, examples } from '../define-command.ts';

export function configure(command: Command): void {
  action(command, async (context) => {
    await context.output.one(await context.account());
  });
  examples(
    command,
    ['orgchat account'],
    ['orgchat account --json --fields api.used,api.limit', "only this month's usage"],
  );
}
