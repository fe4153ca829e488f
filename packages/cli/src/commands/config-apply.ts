import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import { applyFile, type FileApplyOptions } from '../config/apply/from-file.ts';
import { applyPlan } from '../config/apply/from-plan.ts';
import { configOf } from '../config/file/read.ts';
import { planIn } from '../config/plan/document.ts';
import { usage } from '../failure.ts';
import { readText } from '../input.ts';

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
    .option('--dry-run', 'show what would be done, and do nothing');
  action<FileApplyOptions>(applied, async (context, options, name) => {
    const text = await readText(name);
    const saved = planIn(text, name);
    if (saved === undefined) await applyFile(context, options, configOf(name, text));
    else if (options.prune || options.replan)
      throw usage(
        `--${options.prune ? 'prune' : 'replan'} is for a configuration, and ${name} is a plan.`,
        'Make another plan: orgchat config plan FILE -o PLAN, with --prune if it is to delete',
      );
    else await applyPlan(context, options, saved);
  });
  examples(
    applied,
    ['orgchat config apply plan.json', 'what was planned; a record changed since is a conflict (exit 5)'],
    ['orgchat config apply orgchat.yaml', 'plan, show, ask and apply'],
    ['orgchat config apply orgchat.yaml --prune --yes', 'the same in a script, and delete what is left over'],
  );
}
