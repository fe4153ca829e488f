import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { integer, words } from '../args/value-parsers.ts';
import { createFetch } from '../connection/proxy-settings.ts';
import type { Context } from '../context.ts';
import { groups } from '../contract/probe.ts';
import type { CheckResult } from '../contract/run-check.ts';
import type { Stopped } from '../contract/sender.ts';
import { action, examples } from '../define-command.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { readText } from '../input/read-input.ts';
import { type LockedBy, lockInFile, withLock } from '../locks/with-lock.ts';
import { showProgress } from '../output/progress.ts';
import { writeOut } from '../output/streams.ts';
import { checkWritable, writeAtomic } from '../output/write-file.ts';
import { resolveTarget } from '../settings/api-target.ts';
import { stateDirectory } from '../settings/directories.ts';
import { readServerFile } from '../settings/server-file.ts';

type GroupName = (typeof groups)[number];

interface CheckFlags {
  readonly only?: readonly GroupName[];
  readonly skip?: readonly GroupName[];
  readonly output?: string;
  readonly against?: string;
  readonly exitCode?: true;
  readonly budget?: number;
  readonly rate?: number;
  readonly fresh?: true;
  readonly readKeyFile?: string;
  readonly exhaustMinute?: true;
}

const defaults = { budget: 100, rate: 40, timeoutMs: 30_000 };

export function configure(command: Command): void {
  check(command);
  examples(
    command,
    ['orgchat contract check', 'reads only; what differs, what it means, what to do'],
    ['orgchat contract check -o server.yaml', 'writes the description of the server'],
    ['orgchat contract check --against server.yaml --exit-code', 'in CI: 2 if the server changed'],
  );
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

function check(command: Command): void {
  const checking = command
    .command('check')
    .description('compare a server with the contract and the decisions of this toolkit; it only reads')
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
    .option('--rate <n>', `requests per minute (default ${defaults.rate})`, integer(1, 60))
    .option(
      '--read-key-file <file>',
      'file with a read key of the same organization, for the group forbidden',
    )
    .option(
      '--exhaust-minute',
      'reach the limit per minute, for the group minute: blocks the key for a minute',
    )
    .option('--fresh', 'begin again, although an earlier check did not end');
  action<CheckFlags>(checking, runCommand);
  examples(
    checking,
    ['orgchat contract check'],
    ['orgchat contract check --skip auth', 'if a wrong key would raise an alarm'],
    ['orgchat contract check -o server.yaml', 'keeps what was not asked, and comments'],
    ['orgchat contract check --against server.yaml --exit-code --json'],
  );
}

async function runCommand(context: Context, flags: CheckFlags): Promise<void> {
  const { output, against } = flags;
  if (flags.exitCode && against === undefined)
    throw usageError(
      '--exit-code needs --against FILE.',
      'Pass the description to compare with: --against server.yaml',
    );
  // A file that is wrong ends the command before a request is sent.
  const compared = against === undefined ? undefined : await readServerFile(against);
  const file = output === undefined ? undefined : { name: output, text: await readExisting(output) };
  const target = await resolveTarget(context.options, context.env);
  for (const warning of [...target.addressWarnings, ...target.warnings]) context.output.warn(warning);
  const [{ compare, learn }, { completeDescription, findDescriptionError }, { formatReport, toDocument }] =
    await Promise.all([
      import('../contract/learn.ts'),
      import('../contract/write-description.ts'),
      import('../contract/report.ts'),
    ]);
  const result = await askServer(context, flags, target);
  const { verdicts, startedAt: at, organization, requests } = result;
  const learned = learn(verdicts);
  const text = file && (await completeDescription(file, verdicts, learned, { at, organization, requests }));
  const invalid = text === undefined ? undefined : await findDescriptionError(output ?? '', text);
  const differences = compared && compare(compared, learned);
  const written = invalid === undefined ? output : undefined;
  // What was asked is reported, even if the file cannot be written.
  const report = { ...result, baseUrl: target.baseUrl, differences, written };
  if (context.output.isView) await writeOut(formatReport(report));
  else await context.output.one(toDocument(report));
  if (invalid !== undefined) throw invalid;
  if (file !== undefined && text !== undefined) await writeAtomic(file.name, (write) => write(text));
  context.exitCode = chooseExitCode(result, flags.exitCode === true && (differences ?? []).length > 0);
}

async function askServer(
  context: Context,
  flags: CheckFlags,
  target: Awaited<ReturnType<typeof resolveTarget>>,
): Promise<CheckResult> {
  const [{ countProbes, runCheck }, { createFileStore, digest }] = await Promise.all([
    import('../contract/run-check.ts'),
    import('../contract/run-file.ts'),
  ]);
  const { only, skip, fresh, exhaustMinute, budget = defaults.budget, rate = defaults.rate } = flags;
  const { readKeyFile } = flags;
  const readKey = readKeyFile === undefined ? undefined : (await readText(readKeyFile)).trim();
  const { signal } = context.interrupt;
  const send = (await createFetch(target.baseUrl, context.env)) ?? fetch;
  const total = countProbes({ only, skip, readKey, exhaustMinute });
  const progress = await showProgress(context.output, 'Probes', total);
  try {
    const directory = join(stateDirectory(), 'contract');
    const store = lockInFile(join(directory, `${digest(target.baseUrl)}.lock`));
    return await withLock({ store, validMs: lockMs, inProgressError: checkInProgressError }, () =>
      runCheck(target, {
        store: createFileStore(directory),
        ...{ only, skip, fresh, budget, rate, signal, readKey, exhaustMinute },
        fetch: (request) => send(request),
        now: Date.now,
        sleep: (ms) => sleep(ms, undefined, { signal }),
        timeoutMs: context.options.timeout ?? defaults.timeoutMs,
        onWait: (ms) => context.output.note(`The server limits requests; waiting ${Math.ceil(ms / 1000)} s.`),
        onProbe: (done, _total, name) => progress.update(done, name),
      }),
    );
  } catch (error) {
    throw toStartError(error);
  } finally {
    progress.stop();
  }
}

/** A check that cannot be looked at, as in another container, takes no longer. */
const lockMs = 600_000;

const checkInProgressError = ({ who, expiry }: LockedBy): CliError =>
  new CliError(`Another check of this server is in progress: ${who}.`, {
    code: 'CHECK_IN_PROGRESS',
    exit: exitCodes.conflict,
    hint: `Wait until it has ended.${expiry}`,
  });

const isLimit = ({ reason }: Stopped): boolean => reason !== 'unreachable' && reason !== 'interrupted';

/** A run that ended with its first request has nothing to report. */
function toStartError(error: unknown): unknown {
  if (!(error instanceof Error && error.name === 'Stopped')) return error;
  const stopped = error as Stopped;
  return new CliError(stopped.message, {
    code: stopped.reason === 'unreachable' ? 'CONNECTION_FAILED' : 'LIMITED',
    exit: isLimit(stopped) ? exitCodes.limited : exitCodes.failed,
    hint: isLimit(stopped) ? 'Run it again later.' : 'Check address and network: orgchat doctor',
    cause: stopped,
  });
}

function chooseExitCode({ verdicts, stopped, asked }: CheckResult, differs: boolean): number {
  if (stopped !== undefined) return asked === 0 && isLimit(stopped) ? exitCodes.limited : exitCodes.unknown;
  if (verdicts.some(({ verdict }) => verdict === 'violates')) return exitCodes.failed;
  return differs ? exitCodes.differences : exitCodes.done;
}

/** The text of a description that will be completed; undefined if there is none yet. */
async function readExisting(name: string): Promise<string | undefined> {
  await checkWritable(name);
  if (!existsSync(name)) return undefined;
  await readServerFile(name);
  return readText(name);
}
