import { existsSync } from 'node:fs';
import type { CodesOption, ServerDescription } from '@orgchat/spec';
import { type Command, InvalidArgumentError } from 'commander';
import { integer, words } from '../../args/value-parsers.ts';
import type { Context } from '../../context.ts';
import { groups } from '../../contract/probe.ts';
import type { CheckResult } from '../../contract/run-check.ts';
import { action, examples } from '../../define-command.ts';
import { toCliError } from '../../error-conversion/to-cli-error.ts';
import { type CliError, usageError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../input/prompt.ts';
import { readText } from '../../input/read-input.ts';
import { showProgress } from '../../output/progress.ts';
import { writeOut } from '../../output/streams.ts';
import { writeStack } from '../../output/write-cli-error.ts';
import { checkWritable, writeAtomic } from '../../output/write-file.ts';
import { resolveTarget } from '../../settings/api-target.ts';
import { readServerFile, resolveServerFile } from '../../settings/server-file.ts';
import { defaults, isLimit, type RateFlag, rateOption, runLocked } from './run-locked.ts';

type GroupName = (typeof groups)[number];

interface CheckFlags extends RateFlag {
  readonly only?: readonly GroupName[];
  readonly skip?: readonly GroupName[];
  readonly output?: string;
  readonly against?: string;
  readonly exitCode?: true;
  readonly budget?: number;
  readonly fresh?: true;
  readonly readKeyFile?: string;
  readonly exhaustMinute?: true;
  readonly write?: true;
  readonly organization?: string;
  readonly junit?: string;
}

/** `a,b`: names of groups. */
const groupNames =
  (example: string) =>
  (text: string): readonly GroupName[] =>
    words(example)(text).map((name) => {
      const group = groups.find((known) => known === name);
      if (group !== undefined) return group;
      throw new InvalidArgumentError(`No group named "${name}". Groups: ${groups.join(', ')}.`);
    });

export function check(command: Command): void {
  const checking = command
    .command('check')
    .description(
      'compare a server with the contract and the decisions of this toolkit; without --write, it only reads',
    )
    .option('--only <a,b>', `groups to ask: ${groups.join(', ')}`, groupNames('lists,one'))
    .option('--skip <a,b>', 'groups not to ask', groupNames('auth,path'))
    .option('-o, --output <file>', 'description of the server to write, or to complete')
    .option('--against <file>', 'description to compare the server with')
    .option('--exit-code', 'exit 2 if the server differs from the file of --against')
    .option(
      '--budget <n>',
      `maximum number of requests of this command (default ${defaults.budget})`,
      integer(1),
    )
    .option(
      '--read-key-file <file>',
      'file with a read key of the same organization, for the group forbidden',
    )
    .option(
      '--exhaust-minute',
      'reach the limit per minute, for the group minute: blocks the key for a minute',
    )
    .option('--write', 'also create, change and delete tags and links, for the group write')
    .option('--organization <id>', 'organization of the key, in which --write may write')
    .option('--junit <file>', 'write a JUnit report')
    .option('--fresh', 'begin again, although an earlier check did not end');
  rateOption(checking);
  action<CheckFlags>(checking, runCommand);
  examples(
    checking,
    ['orgchat contract check'],
    ['orgchat contract check --write --organization ID', 'also asks what changes do'],
    ['orgchat contract check --skip auth', 'if a wrong key would raise an alarm'],
    ['orgchat contract check -o server.yaml', 'keeps what was not asked, and comments'],
    ['orgchat contract check --against server.yaml --exit-code --json'],
  );
}

async function runCommand(context: Context, flags: CheckFlags): Promise<void> {
  const { output, against, junit } = flags;
  if (flags.exitCode && against === undefined)
    throw usageError(
      '--exit-code needs --against FILE.',
      'Pass the description to compare with: --against server.yaml',
    );
  await checkWriting(context, flags);
  // A file that is wrong ends the command before a request is sent.
  const compared = against === undefined ? undefined : await readServerFile(against);
  const file = output === undefined ? undefined : { name: output, ...(await readExisting(output)) };
  if (junit !== undefined) await checkWritable(junit);
  const target = await resolveTarget(context.options, context.env);
  for (const warning of [...target.addressWarnings, ...target.warnings]) context.output.warn(warning);
  const [{ compare, learn }, { completeDescription, findDescriptionError }, { formatReport, toDocument }] =
    await Promise.all([
      import('../../contract/learn.ts'),
      import('../../contract/write-description.ts'),
      import('../../contract/report.ts'),
    ]);
  const described = (await resolveServerFile(context.options, context.env)) ?? file?.description ?? compared;
  const result = await askServer(context, flags, target, described?.codes);
  const { verdicts, startedAt: at, organization, requests } = result;
  const learned = learn(verdicts);
  const differences = compared && compare(compared, learned);
  const describeServer = async (): Promise<void> => {
    if (file === undefined) return;
    const text = await completeDescription(file, verdicts, learned, { at, organization, requests });
    const invalid = await findDescriptionError(file.name, text);
    if (invalid !== undefined) throw invalid;
    await writeAtomic(file.name, (write) => write(text));
  };
  const undescribed = await findError(describeServer);
  const written = undescribed === undefined ? output : undefined;
  const report = { ...result, baseUrl: target.baseUrl, differences, written };
  const unreported = await findError(async () => {
    if (junit === undefined) return;
    await (await import('../../contract/junit-report.ts')).writeJunit(junit, report);
  });
  const errors = [undescribed, unreported].filter((error) => error !== undefined);
  // What was asked, and what is left, is said, even if a file could not be written.
  if (context.output.isView) await writeOut(formatReport(report));
  else await context.output.one(toDocument({ ...report, errors }));
  for (const error of errors) {
    context.output.warn(`${error.message} ${error.hint}`);
    if (context.options.debug) writeStack(error);
  }
  context.exitCode = chooseExitCode({
    ...result,
    errors,
    differs: flags.exitCode === true && (differences ?? []).length > 0,
  });
}

/** The error with which work ended; undefined if it did not. */
async function findError(work: () => Promise<void>): Promise<CliError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return toCliError(error);
  }
}

/** What is written is removed again, and yet only where the user wants it. */
async function checkWriting(context: Context, { write, organization }: CheckFlags): Promise<void> {
  if (write === undefined && organization === undefined) return;
  if (write === undefined || organization === undefined)
    throw usageError(
      '--write and --organization ID need each other.',
      'Pass the id of an organization in which tags and links may be created: orgchat account',
    );
  await confirm(
    `Create about ten tags and links in organization ${organization}, change them, and delete them?`,
    context.options.yes,
  );
}

async function askServer(
  context: Context,
  flags: CheckFlags,
  target: Awaited<ReturnType<typeof resolveTarget>>,
  codes: CodesOption | undefined,
): Promise<CheckResult> {
  const { countProbes, runCheck } = await import('../../contract/run-check.ts');
  const { only, skip, fresh, exhaustMinute, readKeyFile, organization } = flags;
  const readKey = readKeyFile === undefined ? undefined : (await readText(readKeyFile)).trim();
  const selection = { only, skip, fresh, readKey, exhaustMinute, write: organization };
  const { budget = defaults.budget, rate = defaults.rate } = flags;
  const progress = await showProgress(context.output, 'Probes', countProbes(selection));
  try {
    return await runLocked(context, target, codes, (options) =>
      runCheck(target, {
        ...options,
        ...selection,
        ...{ budget, rate },
        onProbe: (done, name) => progress.update(done, name),
      }),
    );
  } finally {
    progress.stop();
  }
}

interface Ending extends CheckResult {
  /** Why files could not be written. */
  readonly errors: readonly CliError[];
  /** Whether the server differs from the file of --against, and that is to be an exit code. */
  readonly differs: boolean;
}

/** The worst that happened: what is left behind counts more than what was not asked, and that more than any result. */
function chooseExitCode({ verdicts, stopped, asked, left, errors, differs }: Ending): number {
  if (left.length > 0) return exitCodes.unknown;
  if (stopped !== undefined) return asked === 0 && isLimit(stopped) ? exitCodes.limited : exitCodes.unknown;
  if (verdicts.some(({ verdict }) => verdict === 'violates')) return exitCodes.failed;
  const [error] = errors;
  if (error !== undefined) return error.exit;
  return differs ? exitCodes.differences : exitCodes.done;
}

/** A description that will be completed, and its text; undefined if there is none yet. */
async function readExisting(
  name: string,
): Promise<{ readonly text: string | undefined; readonly description: ServerDescription | undefined }> {
  await checkWritable(name);
  if (!existsSync(name)) return { text: undefined, description: undefined };
  const description = await readServerFile(name);
  return { text: await readText(name), description };
}
