import type { Command } from 'commander';
import { words } from '../args/value-parsers.ts';
import type { ExportOptions } from '../config/export-command.ts';
import type { DiffOptions } from '../config/plan-and-warn.ts';
import { action, examples } from '../define-command.ts';
import { configureApply } from './config/apply.ts';

export function configure(command: Command): void {
  exporting(command);
  validating(command);
  diffing(command);
  planning(command);
  configureApply(command);
  examples(
    command,
    ['orgchat config export -o orgchat.yaml'],
    ['orgchat config diff orgchat.yaml', 'shows where each change was made'],
    ['orgchat config apply orgchat.yaml --dry-run'],
  );
}

function exporting(command: Command): void {
  const exported = command
    .command('export')
    .description('export the configuration; an existing file keeps its comments, order and edits')
    .option('-o, --output <file>', 'file to write, YAML or .json (default: standard output)')
    .option('--resources <a,b>', 'only these resources', words('tags,scenarios'))
    .option('--force', "take the organization's side of edits that cannot be kept");
  action<ExportOptions>(exported, async (context, options) => {
    const { exportConfig } = await import('../config/export-command.ts');
    await exportConfig(context, options);
  });
  examples(
    exported,
    ['orgchat config export -o orgchat.yaml'],
    ['orgchat config export -o orgchat.yaml --force', 'after exit code 5, which lists what it overwrites'],
    ['orgchat config export --resources tags,scenarios'],
  );
}

function validating(command: Command): void {
  const checked = command
    .command('validate')
    .description('validate a configuration file offline')
    .argument('<file|->', 'configuration file');
  action(checked, async (context, _options, name) => {
    const { validateConfig } = await import('../config/validate-command.ts');
    await validateConfig(context, name);
  });
  examples(checked, ['orgchat config validate orgchat.yaml']);
}

function diffing(command: Command): void {
  const compared = command
    .command('diff')
    .description('show differences between file and organization, and where each was made')
    .argument('<file|->', 'configuration file')
    .option('--prune', 'also show the deletion of records that are not in the file')
    .option('--show-unmanaged', 'list records that are not in the file')
    .option('--exit-code', 'exit with 2 if there are differences');
  action<DiffOptions>(compared, async (context, options, name) => {
    const { showDifferences } = await import('../config/diff-command.ts');
    await showDifferences(context, options, name);
  });
  examples(
    compared,
    ['orgchat config diff orgchat.yaml'],
    ['orgchat config diff orgchat.yaml --exit-code -q', 'in CI: exits 2 if there are differences'],
  );
}

function planning(command: Command): void {
  const made = command
    .command('plan')
    .description('create a plan to review now and apply later')
    .argument('<file|->', 'configuration file')
    .option('-o, --output <plan>', 'file to write the plan to; - is standard output')
    .option('--prune', 'include the deletion of records that are not in the file')
    .option('--show-unmanaged', 'list records that are not in the file')
    .option('--exit-code', 'exit with 2 if there are differences');
  action<DiffOptions>(made, async (context, options, name) => {
    const { writePlan } = await import('../config/plan-command.ts');
    await writePlan(context, options, name);
  });
  examples(made, ['orgchat config plan orgchat.yaml -o plan.json'], ['orgchat config apply plan.json']);
}
