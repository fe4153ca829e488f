import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
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
});
const failedMessage = z.object({
  event: z.literal('failed'),
  message: z.string(),
  code: z.string(),
  hint: z.string(),
});

const fileOf = (root: string): string =>
  join(mocksDirectory(), `${new URL(root).host.replace(/[^\w.-]/g, '_')}.json`);

/** Starts the same command without --detach in a process of its own, and returns when that is ready. */
export async function detach(args: readonly string[]): Promise<Record<string, unknown>> {
  const directory = mocksDirectory();
  try {
    makeFolder(directory);
  } catch (error) {
    throw unwritable(directory, error);
  }
  const log = join(directory, `mock-${Date.now()}-${process.pid}.log`);
  const out = openSync(log, 'a', 0o600);
  const entry = process.argv[1] ?? '';
  const child = spawn(
    process.execPath,
    [...process.execArgv, entry, ...args.filter((arg) => arg !== '--detach')],
    {
      detached: true,
      stdio: ['ignore', out, out, 'ipc'],
      env: { ...process.env, [detachedMark]: '1' },
    },
  );
  const message = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', () => resolve(undefined));
  });
  const ready = readyMessage.safeParse(message);
  if (!ready.success) throw startFailure(message, log);
  const { baseUrl, controlUrl } = ready.data;
  const record: Detached = {
    pid: child.pid ?? 0,
    baseUrl,
    controlUrl,
    log,
    startedAt: new Date().toISOString(),
  };
  await writeJson(fileOf(rootOf(baseUrl)), record);
  child.disconnect();
  child.unref();
  return { ...ready.data, pid: child.pid, log };
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

/** Ends the detached mock at this address, and returns when it is gone. */
export async function stopDetached(root: string): Promise<Record<string, unknown>> {
  const file = fileOf(root);
  const found = recordShape.safeParse(await readJson(file));
  if (!found.success) throw await unknownMock(root);
  const { pid, baseUrl, controlUrl } = found.data;
  if (!isRunning(pid) || !(await answers(controlUrl))) {
    await rm(file, { force: true });
    return { stopped: true, baseUrl, pid, note: 'it was not running any more' };
  }
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; isRunning(pid); waited += 20) {
    if (waited >= 10_000) process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await rm(file, { force: true });
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
