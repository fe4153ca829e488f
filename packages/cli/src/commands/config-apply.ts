import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import type { FileApplyOptions } from '../config/apply/from-file.ts';
import { duration } from '../parsers.ts';

export function configureApply(command: Command): void {
  const applied = command
    .command('apply')
    .description(
      'make the organization what the plan or the file says; killed and run again, no step is applied twice',
    )
    .argument('<plan|file|->', 'a plan, or a configuration')
    .option('--prune', 'delete what is not in the file')
    .option('--force-conflicts', 'overwrite what was changed both in the file and in the organization')
    .option('--replan', 'drop the plan that an earlier run did not finish, and plan anew')
    .option(
      '--lock-timeout <seconds>',
      'How long to wait for another apply to this organization (default 0)',
      duration,
    )
    .option('--show-unmanaged', 'List the records that are not in the file')
    .option('--dry-run', 'show what would be done, and do nothing');
  action<FileApplyOptions>(applied, async (context, options, name) => {
    const { applyEither } = await import('../config/apply/either.ts');
    await applyEither(context, options, name);
  });
  examples(
    applied,
    ['orgchat config apply plan.json', 'what was planned; a record changed since is a conflict (exit 5)'],
    ['orgchat config apply orgchat.yaml', 'plan, show, ask and apply'],
    ['orgchat config apply orgchat.yaml --prune --yes', 'the same in a script, and delete what is left over'],
  );
}
