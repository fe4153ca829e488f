import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import type { ExportOptions } from '../config/export.ts';
import type { PlanOptions } from '../config/review.ts';
import { words } from '../parsers.ts';
import { configureApply } from './config-apply.ts';

export function configure(command: Command): void {
  exporting(command);
  validating(command);
  diffing(command);
  planning(command);
  configureApply(command);
  examples(
    command,
    ['orgchat config export -o orgchat.yaml'],
    ['orgchat config diff orgchat.yaml', 'what the file changed, what somebody else did'],
    ['orgchat config apply orgchat.yaml --dry-run'],
  );
}

function exporting(command: Command): void {
  const exported = command
    .command('export')
    .description(
      'write the configuration of the organization; into an existing file it keeps comments and order',
    )
    .option('-o, --output <file>', 'the file, YAML or .json; without it standard output')
    .option('--resources <a,b>', 'only these resources', words);
  action<ExportOptions>(exported, async (context, options) => {
    const { exportConfig } = await import('../config/export.ts');
    await exportConfig(context, options);
  });
  examples(
    exported,
    ['orgchat config export -o orgchat.yaml'],
    ['orgchat config export --resources tags,scenarios'],
  );
}

function validating(command: Command): void {
  const checked = command
    .command('validate')
    .description('check a file without the network')
    .argument('<file|->', 'a configuration');
  action(checked, async (context, _options, name) => {
    const { validateConfig } = await import('../config/review.ts');
    await validateConfig(context, name);
  });
  examples(checked, ['orgchat config validate orgchat.yaml']);
}

function diffing(command: Command): void {
  const compared = command
    .command('diff')
    .description('what the file and the organization differ in, and who changed it')
    .argument('<file|->', 'a configuration')
    .option('--prune', 'also count what is not in the file')
    .option('--show-unmanaged', 'List the records that are not in the file')
    .option('--exit-code', 'exit with 2 when there are differences');
  action<PlanOptions>(compared, async (context, options, name) => {
    const { showDifferences } = await import('../config/review.ts');
    await showDifferences(context, options, name);
  });
  examples(
    compared,
    ['orgchat config diff orgchat.yaml'],
    ['orgchat config diff orgchat.yaml --exit-code -q', 'in CI: 2 says that there are differences'],
  );
}

function planning(command: Command): void {
  const made = command
    .command('plan')
    .description('decide what apply will do, with the revisions it relies on')
    .argument('<file|->', 'a configuration')
    .option('-o, --output <plan>', 'where to keep the plan; - is standard output')
    .option('--prune', 'delete what is not in the file')
    .option('--show-unmanaged', 'List the records that are not in the file')
    .option('--exit-code', 'exit with 2 when there is something to do');
  action<PlanOptions>(made, async (context, options, name) => {
    const { makePlan } = await import('../config/review.ts');
    await makePlan(context, options, name);
  });
  examples(made, ['orgchat config plan orgchat.yaml -o plan.json'], ['orgchat config apply plan.json']);
}
