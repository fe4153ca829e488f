import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import { writeBase } from '../config/base.ts';
import { contentOf, freshText, writeConfig } from '../config/export.ts';
import { parseConfig, problemsFailure } from '../config/file.ts';
import { readOrganization } from '../config/organization.ts';
import { prepare, show } from '../config/prepare.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage } from '../failure.ts';
import { readText } from '../input.ts';
import { words } from '../parsers.ts';
import { writeJson } from '../settings/files.ts';
import { writeOut } from '../streams.ts';
import { configureApply } from './config-apply.ts';

export function configure(command: Command): void {
  exporting(command);
  validating(command);
  diffing(command);
  planning(command);
  configureApply(command);
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
    const { target } = await context.connect();
    const organization = await readOrganization(context);
    const content = contentOf(organization, resources);
    if (options.output === undefined || options.output === '-') {
      const json = context.output.explicit && context.output.format === 'json';
      return writeOut(json ? `${JSON.stringify({ version: 1, ...content }, null, 2)}\n` : freshText(content));
    }
    const result = await writeConfig(options.output, content);
    await writeBase(options.output, target.baseUrl, organization);
    const counts = Object.fromEntries(
      resources.map((resource) => [resource, content[resource]?.length ?? 0]),
    );
    await context.output.one({ file: options.output, result, records: counts });
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
    const { file, problems } = parseConfig(name, await readText(name));
    if (problems.length > 0) {
      for (const { line, message } of problems) context.output.note(`${name}:${line}: ${message}`);
      throw problemsFailure(name, problems);
    }
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

function diffing(command: Command): void {
  const compared = command
    .command('diff')
    .description('what the file and the organization differ in, and who changed it')
    .argument('<file|->', 'a configuration')
    .option('--prune', 'also count what is not in the file')
    .option('--exit-code', 'exit with 2 when there are differences');
  action<PlanCommandOptions>(compared, async (context, options, name) => {
    const prepared = await prepare(context, name, options.prune === true);
    await show(context, prepared);
    if (options.exitCode && prepared.plan.steps.length > 0) context.exitCode = exitCodes.differences;
  });
  examples(
    compared,
    ['orgchat config diff orgchat.yaml'],
    ['orgchat config diff orgchat.yaml --exit-code -q', 'in CI: 2 says that there are differences'],
  );
}

function planning(command: Command): void {
  const planned = command
    .command('plan')
    .description('decide what apply will do, with the revisions it relies on')
    .argument('<file|->', 'a configuration')
    .option('-o, --output <plan>', 'where to keep the plan')
    .option('--prune', 'delete what is not in the file')
    .option('--exit-code', 'exit with 2 when there is something to do');
  action<PlanCommandOptions>(planned, async (context, options, name) => {
    const prepared = await prepare(context, name, options.prune === true);
    if (options.output !== undefined) {
      await writeJson(options.output, prepared.plan);
      context.output.note(
        `The plan is in ${options.output}; apply it: orgchat config apply ${options.output}`,
      );
    }
    await show(context, prepared);
    if (options.exitCode && prepared.plan.steps.length > 0) context.exitCode = exitCodes.differences;
  });
  examples(planned, ['orgchat config plan orgchat.yaml -o plan.json'], ['orgchat config apply plan.json']);
}
