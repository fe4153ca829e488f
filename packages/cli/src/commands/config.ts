import { resolve } from 'node:path';
import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import { KeptPlan } from '../config/apply/kept.ts';
import { noteUnfinished, unfinishedOf } from '../config/apply/unfinished.ts';
import { agreeWhole } from '../config/base.ts';
import { contentOf } from '../config/file/content.ts';
import { readConfig } from '../config/file/read.ts';
import { freshText, jsonText } from '../config/file/text.ts';
import { checkPlace, writeConfig, writeWhole } from '../config/file/write.ts';
import { organizationIdOf, readOrganization } from '../config/organization.ts';
import { show, warn } from '../config/plan/show.ts';
import { prepare } from '../config/prepare.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage } from '../failure.ts';
import { words } from '../parsers.ts';
import { writeOut } from '../streams.ts';
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
  action<{ output?: string; resources?: string[] }>(exported, async (context, options) => {
    const resources = resourcesIn(options.resources);
    const { output } = options;
    const isFile = output !== undefined && output !== '-';
    if (isFile) await checkPlace(output);
    const { target } = await context.connect();
    const organization = await readOrganization(context, await organizationIdOf(context));
    const content = contentOf(organization, resources);
    if (!isFile) {
      const json = context.output.explicit && context.output.format === 'json';
      return writeOut(json ? jsonText(content) : freshText(content));
    }
    const result = await writeConfig(output, content);
    const key = { file: resolve(output), baseUrl: target.baseUrl, organizationId: organization.id };
    const records = resources.flatMap((resource) =>
      organization.records[resource].map(({ id, data }) => ({ resource, id, data })),
    );
    await agreeWhole(key, resources, records);
    const counts = Object.fromEntries(
      resources.map((resource) => [resource, content[resource]?.length ?? 0]),
    );
    await context.output.one({ file: output, result, records: counts });
  });
  examples(
    exported,
    ['orgchat config export -o orgchat.yaml'],
    ['orgchat config export --resources tags,scenarios'],
  );
}

function resourcesIn(given: readonly string[] | undefined): readonly ConfigurationResource[] {
  const unknown = given?.find((name) => !configurationResources.some((known) => known === name));
  if (unknown !== undefined)
    throw usage(`There is no resource "${unknown}".`, `There are ${configurationResources.join(', ')}.`);
  return given === undefined
    ? configurationResources
    : configurationResources.filter((name) => given.includes(name));
}

function validating(command: Command): void {
  const checked = command
    .command('validate')
    .description('check a file without the network')
    .argument('<file|->', 'a configuration');
  action(checked, async (context, _options, name) => {
    const file = await readConfig(name);
    await context.output.one({
      file: name,
      valid: true,
      records: file.records.length,
      resources: file.resources,
    });
  });
  examples(checked, ['orgchat config validate orgchat.yaml']);
}

interface PlanCommandOptions {
  readonly prune?: true;
  readonly exitCode?: true;
  readonly output?: string;
}

/** Plans, and says what stands beside the plan: what to look at, and an apply that is not finished. */
async function planned(context: Context, options: PlanCommandOptions, name: string) {
  const file = await readConfig(name);
  const prepared = await prepare(context, file, options.prune === true);
  const earlier = await new KeptPlan(file, prepared.plan, options.prune === true).read();
  if (earlier !== undefined) noteUnfinished(context, earlier);
  warn(context, prepared.plan);
  if (options.exitCode && prepared.plan.steps.length > 0) context.exitCode = exitCodes.differences;
  return { prepared, unfinished: earlier && unfinishedOf(earlier) };
}

function diffing(command: Command): void {
  const compared = command
    .command('diff')
    .description('what the file and the organization differ in, and who changed it')
    .argument('<file|->', 'a configuration')
    .option('--prune', 'also count what is not in the file')
    .option('--exit-code', 'exit with 2 when there are differences');
  action<PlanCommandOptions>(compared, async (context, options, name) => {
    const { prepared, unfinished } = await planned(context, options, name);
    await show(context, prepared, unfinished);
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
    .option('--exit-code', 'exit with 2 when there is something to do');
  action<PlanCommandOptions>(made, async (context, options, name) => {
    const { output } = options;
    if (output !== undefined && output !== '-') await checkPlace(output);
    const { prepared, unfinished } = await planned(context, options, name);
    const text = `${JSON.stringify(prepared.plan, null, 2)}\n`;
    if (output === '-') return writeOut(text);
    if (output !== undefined) {
      await writeWhole(output, text);
      context.output.note(`The plan is in ${output}; apply it: orgchat config apply ${output}`);
    }
    await show(context, prepared, unfinished);
  });
  examples(made, ['orgchat config plan orgchat.yaml -o plan.json'], ['orgchat config apply plan.json']);
}
