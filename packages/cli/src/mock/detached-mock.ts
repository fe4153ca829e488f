import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getThisProcess, isAlive, makeFolder, readProcessFacts } from '@orgchat/atomic-files';
import * as z from 'zod';
import { toShellWord } from '../args/shell-word.ts';
import { CliError, notFoundError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { mocksDirectory } from '../settings/directories.ts';
import { readJson, unwritableFileError, writeJson } from '../settings/private-files.ts';
import { withoutSettings } from './command-environment.ts';
import { detachedMark } from './mock-options.ts';

const recordShape = z.object({
  /** The process, so that no other one is taken for it that gets its number later. */
  host: z.string(),
  boot: z.string(),
  pid: z.number(),
  start: z.string(),
  /** The URL on this machine. */
  url: z.string(),
  baseUrl: z.string(),
  controlUrl: z.string(),
  log: z.string(),
  startedAt: z.string(),
});
type Detached = z.output<typeof recordShape>;

/** Message of a detached mock to the command that started it. */
const readyMessage = z.looseObject({
  event: z.literal('ready'),
  baseUrl: z.string(),
  controlUrl: z.string(),
  inspectorUrl: z.string(),
  url: z.string(),
  warnings: z.array(z.string()),
});
const healthShape = z.object({ status: z.literal('ready') });
const failedMessage = z.object({
  event: z.literal('failed'),
  message: z.string(),
  code: z.string(),
  hint: z.string(),
});

const getDetachedPath = (root: string): string =>
  join(mocksDirectory(), `${new URL(root).host.replace(/[^\w.-]/g, '_')}.json`);

type Ready = z.output<typeof readyMessage> & { readonly pid: number; readonly log: string };

/** How long logs of unknown mocks are kept. */
const logAgeMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Starts the same command without --detach in its own process, and returns when it is ready. Of the settings of the caller
 * it gets `settings` and the token. The token is passed by the environment, because other users can see the arguments of a
 * process.
 */
export async function detach(
  args: readonly string[],
  controlToken: string | undefined,
  settings: NodeJS.ProcessEnv,
): Promise<Ready> {
  const directory = mocksDirectory();
  try {
    makeFolder(directory);
  } catch (error) {
    throw unwritableFileError(directory, error);
  }
  await removeOldLogs(directory);
  const log = join(directory, `mock-${Date.now()}-${process.pid}.log`);
  const out = openSync(log, 'a', 0o600);
  const entry = process.argv[1] ?? '';
  const child = spawn(
    process.execPath,
    [...process.execArgv, entry, ...withoutToken(args.filter((arg) => arg !== '--detach'))],
    {
      detached: true,
      stdio: ['ignore', out, out, 'ipc'],
      env: {
        ...withoutSettings(process.env),
        ...settings,
        [detachedMark]: '1',
        ...(controlToken !== undefined && { ORGCHAT_MOCK_CONTROL_TOKEN: controlToken }),
      },
    },
  );
  // Also if Ctrl-C ends this process: without its record, nothing could stop the mock.
  const kill = () => child.kill();
  process.once('exit', kill);
  try {
    const ready = await recordWhenReady(child, log);
    child.disconnect();
    child.unref();
    return ready;
  } catch (error) {
    await end(child);
    throw error;
  } finally {
    process.off('exit', kill);
  }
}

/** Waits until a mock is ready, and writes the record by which it is found again. */
async function recordWhenReady(child: ChildProcess, log: string): Promise<Ready> {
  const message = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', () => resolve(undefined));
  });
  const ready = readyMessage.safeParse(message);
  if (!ready.success) throw detachedStartError(message, log);
  const { baseUrl, controlUrl, url } = ready.data;
  const pid = child.pid ?? 0;
  const { host, boot } = getThisProcess();
  const record: Detached = {
    ...{ host, boot, pid, start: readProcessFacts(pid).start },
    url,
    baseUrl,
    controlUrl,
    log,
    startedAt: new Date().toISOString(),
  };
  await writeJson(getDetachedPath(url), record);
  return { ...ready.data, pid, log };
}

/** Ends a mock, and returns when it is gone, so that its port is free. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(timer);
}

/** The arguments without `--control-token TOKEN` and `--control-token=TOKEN`. */
function withoutToken(args: readonly string[]): string[] {
  const flag = '--control-token';
  return args.filter((arg, at) => arg !== flag && !arg.startsWith(`${flag}=`) && args[at - 1] !== flag);
}

/** Removes the logs of mocks that ended long ago and were not stopped, and of those that never started. */
async function removeOldLogs(directory: string): Promise<void> {
  const names = await readdir(directory);
  const inUse = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) =>
        recordShape.safeParse(await readJson(join(directory, name)).catch(() => undefined)),
      ),
  );
  const logsInUse = new Set(
    inUse
      .map(({ data }) => data)
      .filter((record) => record !== undefined && isAlive(record) !== false)
      .map((record) => record?.log),
  );
  for (const name of names.filter((one) => one.endsWith('.log'))) {
    const path = join(directory, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined || logsInUse.has(path) || Date.now() - facts.mtimeMs < logAgeMs) continue;
    await rm(path, { force: true });
  }
}

function detachedStartError(message: unknown, log: string): CliError {
  const failure = failedMessage.safeParse(message);
  if (failure.success) {
    const { message: text, code, hint } = failure.data;
    return new CliError(text, { code, exit: exitCodes.failed, hint });
  }
  const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
  return new CliError(`The mock server ended before it was ready. ${last}`.trim(), {
    code: 'MOCK_NOT_STARTED',
    exit: exitCodes.failed,
    hint: `See its output in ${log}.`,
  });
}

/** How long a mock may take to say that it is there. */
const healthTimeoutMs = 5_000;

/** Whether a mock answers at this address. */
async function isMockAt(controlUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${controlUrl}/health`, { signal: AbortSignal.timeout(healthTimeoutMs) });
    return healthShape.safeParse(await response.json()).success;
  } catch {
    return false;
  }
}

/**
 * Stops the detached mock at this URL, removes its log, and returns when it is gone. If it had ended by itself, its
 * log is kept, because it may contain the reason.
 */
export async function stopDetached(root: string): Promise<Record<string, unknown>> {
  const file = getDetachedPath(root);
  const found = recordShape.safeParse(await readJson(file));
  if (!found.success) throw await unknownMockError(root);
  const { data: record } = found;
  const { pid, baseUrl, log } = record;
  if (!(await isStillRunning(record, file))) {
    await rm(file, { force: true });
    return { stopped: true, baseUrl, pid, note: 'it was no longer running', log };
  }
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; isAlive(record) !== false; waited += pollMs) {
    if (waited >= graceMs) process.kill(pid, 'SIGKILL');
    await sleep(pollMs);
  }
  await rm(file, { force: true });
  await rm(log, { force: true });
  return { stopped: true, baseUrl, pid };
}

/** How long a mock may take to finish its requests, and how often to look whether it has ended, in milliseconds. */
const graceMs = 10_000;
const pollMs = 20;

/** Whether a mock is alive. Where the system does not say enough, it has to answer at its URL. */
async function isStillRunning(record: Detached, file: string): Promise<boolean> {
  const alive = isAlive(record);
  if (alive !== undefined) return alive;
  const { host, url, pid } = record;
  if (host !== getThisProcess().host || record.boot !== getThisProcess().boot)
    throw new CliError(
      `The mock at ${url} is process ${pid} of another machine or container (${host}), or was started before this machine was restarted.`,
      {
        code: 'MOCK_ELSEWHERE',
        exit: exitCodes.failed,
        hint: `Stop it there: orgchat mock stop. If it no longer runs, delete ${toShellWord(file)}.`,
      },
    );
  // This system does not say when a process started.
  return isMockAt(`${url}/_mock`);
}

async function unknownMockError(root: string): Promise<CliError> {
  if (await isMockAt(`${root}/_mock`))
    return notFoundError(
      `A mock answers at ${root}, but it was not started with --detach.`,
      'Stop it where it was started, with Ctrl-C.',
    );
  const files = await readdir(mocksDirectory()).catch(() => []);
  const known = files
    .filter((name) => name.endsWith('.json'))
    .map((name) => `http://${name.slice(0, -5).replace(/_(\d+)$/, ':$1')}`);
  return notFoundError(
    `No detached mock was started at ${root}.`,
    known.length === 0
      ? 'Start one: orgchat mock start --detach'
      : `Choose a running mock with --url: ${known.join(', ')}`,
  );
}
