import type { Command } from 'commander';
import { duration } from '../../args/value-parsers.ts';
import type { FileApplyOptions } from '../../config/apply-command.ts';
import { action, examples } from '../../define-command.ts';

export function configureApply(command: Command): void {
  const applied = command
    .command('apply')
    .description('apply a plan or configuration file; safe to re-run')
    .argument('<plan|file|->', 'plan or configuration file')
    .option('--prune', 'delete records that are not in the file')
    .option('--force-conflicts', 'overwrite fields that changed both in the file and in the organization')
    .option('--replan', 'give up the unfinished plan of an earlier run and make a new plan')
    .option(
      '--lock-timeout <seconds>',
      'time to wait for another apply to this organization (default 0)',
      duration,
    )
    .option('--show-unmanaged', 'list records that are not in the file')
    .option('--dry-run', 'show the plan without applying it');
  action<FileApplyOptions>(applied, async (context, options, name) => {
    const { applyPlanOrFile } = await import('../../config/apply-command.ts');
    await applyPlanOrFile(context, options, name);
  });
  examples(
    applied,
    ['orgchat config apply orgchat.yaml', 'make a plan, show it, ask, apply it'],
    ['orgchat config apply orgchat.yaml --yes', 'in a script: without a terminal, --yes is required'],
    ['orgchat config apply orgchat.yaml --prune --yes', 'also deletes records not in the file'],
    [
      'orgchat config apply plan.json',
      'apply a saved plan without asking; exits 5 if a record changed since',
    ],
  );
}
