import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { exitCodes } from '../exit-codes.ts';
import { Failure, notFound } from '../failure.ts';
import { readJson, unwritable, writeJson } from '../settings/files.ts';
import { makeFolder } from '../settings/folders.ts';
import { mocksDirectory } from '../settings/paths.ts';
import { rootOf } from './control.ts';
import { detachedMark } from './options.ts';

const recordShape = z.object({
  pid: z.number(),
  /** The address on this machine; records of earlier versions have none. */
  url: z.string().optional(),
  baseUrl: z.string(),
  controlUrl: z.string(),
  log: z.string(),
  startedAt: z.string(),
});
type Detached = z.output<typeof recordShape>;

/** What a detached mock tells the command that started it. */
const readyMessage = z.looseObject({
  event: z.literal('ready'),
  baseUrl: z.string(),
  controlUrl: z.string(),
  url: z.string(),
  warnings: z.array(z.string()),
});
const failedMessage = z.object({
  event: z.literal('failed'),
  message: z.string(),
  code: z.string(),
  hint: z.string(),
});

const fileOf = (root: string): string =>
  join(mocksDirectory(), `${new URL(root).host.replace(/[^\w.-]/g, '_')}.json`);

type Ready = z.output<typeof readyMessage> & { readonly pid: number; readonly log: string };

/** Logs of mocks that nothing is known of any more are kept this long. */
const logAgeMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Starts the same command without --detach in a process of its own, and returns when that is ready. The token goes to
 * it by the environment: its arguments can be read by every user of the machine as long as it runs.
 */
export async function detach(args: readonly string[], controlToken: string | undefined): Promise<Ready> {
  const directory = mocksDirectory();
  try {
    makeFolder(directory);
  } catch (error) {
    throw unwritable(directory, error);
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
        ...process.env,
        [detachedMark]: '1',
        ...(controlToken !== undefined && { ORGCHAT_MOCK_CONTROL_TOKEN: controlToken }),
      },
    },
  );
  const message = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', () => resolve(undefined));
  });
  const ready = readyMessage.safeParse(message);
  if (!ready.success) throw startFailure(message, log);
  const { baseUrl, controlUrl, url } = ready.data;
  const pid = child.pid ?? 0;
  const record: Detached = {
    pid,
    url,
    baseUrl,
    controlUrl,
    log,
    startedAt: new Date().toISOString(),
  };
  await writeJson(fileOf(url), record);
  child.disconnect();
  child.unref();
  return { ...ready.data, pid, log };
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
  const kept = new Set(
    inUse
      .map(({ data }) => data)
      .filter((record) => record !== undefined && isRunning(record.pid))
      .map((record) => record?.log),
  );
  for (const name of names.filter((one) => one.endsWith('.log'))) {
    const path = join(directory, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined || kept.has(path) || Date.now() - facts.mtimeMs < logAgeMs) continue;
    await rm(path, { force: true });
  }
}

function startFailure(message: unknown, log: string): Failure {
  const told = failedMessage.safeParse(message);
  if (told.success) {
    const { message: text, code, hint } = told.data;
    return new Failure(text, { code, exit: exitCodes.failed, hint });
  }
  const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
  return new Failure(`The mock server ended before it was ready. ${last}`.trim(), {
    code: 'MOCK_NOT_STARTED',
    exit: exitCodes.failed,
    hint: `What it wrote is in ${log}.`,
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Whether the mock at this address still answers; a process id alone may belong to something else by now. */
async function answers(controlUrl: string): Promise<boolean> {
  return fetch(`${controlUrl}/health`).then(
    (response) => response.status < 500,
    () => false,
  );
}

/**
 * Ends the detached mock at this address, removes its log, and returns when it is gone. The log of one that had ended
 * by itself is kept, since it may say why.
 */
export async function stopDetached(root: string): Promise<Record<string, unknown>> {
  const file = fileOf(root);
  const found = recordShape.safeParse(await readJson(file));
  if (!found.success) throw await unknownMock(root);
  const { pid, url, baseUrl, log } = found.data;
  if (!isRunning(pid) || !(await answers(`${url ?? rootOf(baseUrl)}/_mock`))) {
    await rm(file, { force: true });
    return { stopped: true, baseUrl, pid, note: 'it was not running anymore', log };
  }
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; isRunning(pid); waited += 20) {
    if (waited >= 10_000) process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await rm(file, { force: true });
  await rm(log, { force: true });
  return { stopped: true, baseUrl, pid };
}

async function unknownMock(root: string): Promise<Failure> {
  const files = await readdir(mocksDirectory()).catch(() => []);
  const known = files
    .filter((name) => name.endsWith('.json'))
    .map((name) => `http://${name.slice(0, -5).replace(/_(\d+)$/, ':$1')}`);
  return notFound(
    `No detached mock was started at ${root}.`,
    known.length === 0 ? 'Start one: orgchat mock start --detach' : `Running: ${known.join(', ')} (--url)`,
  );
}
