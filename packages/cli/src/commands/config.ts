import { configurationResources } from '@orgchat/spec/resources/names';
import { type Command, Option } from 'commander';
import { duration, repeatable, words } from '../args/value-parsers.ts';
import type { ApplyOptions } from '../config/apply.ts';
import type { ExportOptions } from '../config/export.ts';
import type { DiffOptions, PlanOptions } from '../config/plan.ts';
import { action, examples } from '../define-command.ts';

export function configure(command: Command): void {
  exporting(command);
  validating(command);
  diffing(command);
  planning(command);
  applying(command);
  examples(
    command,
    ['orgchat config export -o orgchat.yaml', 'writes a file to edit'],
    ['orgchat config validate orgchat.yaml', 'optional: finds mistakes offline'],
    ['orgchat config diff orgchat.yaml', 'shows where each change was made'],
    ['orgchat config plan orgchat.yaml -o plan.json', 'writes a plan to review'],
    ['orgchat config apply plan.json', 'applies the reviewed plan'],
  );
}

const createOnlyOption = (): Option =>
  repeatable(
    new Option(
      '--only <resource/name,…>',
      'only these records, by name or id, such as tags/VIP,routes/Shop. May be repeated',
    ),
    (text) => text.trim(),
  );

function exporting(command: Command): void {
  const exported = command
    .command('export')
    .description('export the configuration; an existing file keeps its comments, order and edits')
    .option('-o, --output <file>', 'the YAML or .json file to write (default: standard output)')
    .option(
      '--resources <a,b>',
      `only these resources: ${configurationResources.join(', ')}`,
      words('tags,scenarios'),
    )
    .addOption(createOnlyOption())
    .option('--force', 'replace edits in the file that conflict with the organization')
    .option('--schema <file>', 'also write the JSON Schema of the file, which editors use to mark mistakes');
  action<ExportOptions>(exported, async (context, options) => {
    const { exportConfig } = await import('../config/export.ts');
    await exportConfig(context, options);
  });
  examples(
    exported,
    ['orgchat config export -o orgchat.yaml'],
    ['orgchat config export -o orgchat.yaml --force', 'overwrite what exit code 5 listed'],
    ['orgchat config export --resources tags,scenarios', 'print two resources, and write no file'],
    [
      'orgchat config export -o orgchat.yaml --schema orgchat.schema.json',
      'also write the schema for editors',
    ],
    ['orgchat config export -o orgchat.yaml --only tags/VIP', 'update only this record in the file'],
  );
}

function validating(command: Command): void {
  const checked = command
    .command('validate')
    .description('validate a configuration file offline')
    .argument('<file|->', 'configuration file; - is standard input');
  action(checked, async (context, _options, name) => {
    const { readConfig } = await import('../config/file/read-config.ts');
    const { records, resources } = await readConfig(name);
    await context.output.one({ file: name, valid: true, records: records.length, resources });
  });
  examples(checked, ['orgchat config validate orgchat.yaml']);
}

function diffing(command: Command): void {
  const compared = command
    .command('diff')
    .description('show the differences between the file and the organization, and where each was made')
    .argument('<file|->', 'configuration file; - is standard input')
    .option('--prune', 'also show the deletion of records that are not in the file')
    .addOption(createOnlyOption())
    .option('--show-unmanaged', 'list records that are not in the file')
    .option('--exit-code', 'exit with 2 if there are differences');
  action<DiffOptions>(compared, async (context, options, name) => {
    const { showDifferences } = await import('../config/plan.ts');
    await showDifferences(context, options, name);
  });
  examples(
    compared,
    ['orgchat config diff orgchat.yaml'],
    ['orgchat config diff orgchat.yaml --exit-code', 'in CI: exits 2 if there are differences'],
  );
}

function planning(command: Command): void {
  const made = command
    .command('plan')
    .description('create a plan to review now and apply later')
    .argument('<file|->', 'configuration file; - is standard input')
    .option('-o, --output <plan>', 'file to write the plan to; - is standard output')
    .option('--prune', 'include the deletion of records that are not in the file')
    .addOption(createOnlyOption())
    .option('--markdown', 'print the plan as Markdown, for a comment on a pull request')
    .option('--show-unmanaged', 'list records that are not in the file')
    .option('--exit-code', 'exit with 2 if there are differences');
  action<PlanOptions>(made, async (context, options, name) => {
    const { writePlan } = await import('../config/plan.ts');
    await writePlan(context, options, name);
  });
  examples(
    made,
    ['orgchat config plan orgchat.yaml -o plan.json'],
    ['orgchat config plan orgchat.yaml -o plan.json --markdown > plan.md', 'for a pull request'],
  );
}

function applying(command: Command): void {
  const applied = command
    .command('apply')
    .description('apply a plan or configuration file; safe to re-run')
    .argument('<plan|file|->', 'plan or configuration file; - is standard input')
    .option('--prune', 'delete records that are not in the file')
    .addOption(createOnlyOption())
    .option('--force-conflicts', 'overwrite fields that changed both in the file and in the organization')
    .option('--replan', 'give up the unfinished plan of an earlier run and make a new plan')
    .option(
      '--lock-timeout <seconds>',
      'time to wait for another apply to this organization (default 0)',
      duration,
    )
    .option('--show-unmanaged', 'list records that are not in the file')
    .option('--dry-run', 'show the plan without applying it');
  action<ApplyOptions>(applied, async (context, options, name) => {
    const { applyPlanOrFile } = await import('../config/apply.ts');
    await applyPlanOrFile(context, options, name);
  });
  examples(
    applied,
    ['orgchat config apply orgchat.yaml', 'make a plan, show it, ask, apply it'],
    ['orgchat config apply orgchat.yaml --yes', 'in a script: without a terminal, --yes is required'],
    ['orgchat config apply orgchat.yaml --prune --yes', 'also deletes records not in the file'],
    ['orgchat config apply orgchat.yaml --only tags/VIP,tags/New', 'two records, nothing else'],
    [
      'orgchat config apply plan.json',
      'apply a saved plan without asking; exits 5 if a record changed since',
    ],
  );
}
