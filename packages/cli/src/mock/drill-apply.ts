import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config/file/read-config.ts';
import type { Context } from '../context.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { showProgress } from '../output/progress.ts';
import type { ExecOptions } from './mock-options.ts';
import { chooseKey, type Running, readMockServer, runMock, serverEnvironment } from './run-mock.ts';

interface Round {
  /** The number of applied steps after which the apply was killed; 0 if it was not killed. */
  readonly killedAfter: number;
  /** Changes the server applied, in both runs together. */
  readonly applied: number;
  /** Steps that were sent again and got the stored response. */
  readonly replayed: number;
  readonly exit: number;
}

/**
 * Applies a configuration to a fresh mock again and again, each time killed (SIGKILL) one step later, then run to the
 * end, and counts the applied changes. The count must always be the same.
 */
export async function drillApply(context: Context, options: ExecOptions, file: string): Promise<void> {
  await readConfig(file);
  const mock = await runMock({
    ...options,
    ...(await readMockServer(context)),
    port: 0,
    host: '127.0.0.1',
    rateLimit: options.rateLimit ?? false,
    // What was applied is counted in the request log, so it must not drop anything.
    requestLogSize: 1_000_000,
  });
  try {
    const env = { ORGCHAT_API_KEY: chooseKey(mock.mock, undefined), ...serverEnvironment(context) };
    const baseline = await round(mock, env, file, 0);
    if (baseline.exit !== exitCodes.done) throw failedRun(baseline.exit, file);
    if (baseline.applied === 0)
      throw usageError(
        `${file} changes nothing in this organization.`,
        'Use a file with changes, or another --seed.',
      );
    const rounds: Round[] = [];
    const progress = await showProgress(context.output, 'drill', baseline.applied);
    for (let after = 1; after <= baseline.applied && !context.interrupt.stopping; after++) {
      rounds.push(await round(mock, env, file, after));
      progress.update(after);
    }
    progress.stop();
    const bad = rounds.filter(({ applied, exit }) => applied !== baseline.applied || exit !== exitCodes.done);
    await context.output.one({
      steps: baseline.applied,
      kills: rounds.length,
      replayed: rounds.reduce((sum, { replayed }) => sum + replayed, 0),
      appliedTwice: rounds.reduce((sum, { applied }) => sum + Math.max(0, applied - baseline.applied), 0),
      lost: rounds.reduce((sum, { applied }) => sum + Math.max(0, baseline.applied - applied), 0),
      ...(context.output.format !== 'table' && { rounds }),
    });
    if (bad.length > 0) context.exitCode = exitCodes.conflict;
  } finally {
    await mock.close();
  }
}

function failedRun(exit: number, file: string): CliError {
  return new CliError(`Applying ${file} to the mock exited with ${exit} before any fault was injected.`, {
    code: 'APPLY_FAILED',
    exit: exitCodes.failed,
    hint: `See why: orgchat mock exec -- orgchat config apply ${file}; --seed gives the mock another organization.`,
  });
}

/** One apply from the seed: killed after `killAfter` steps, then run again to its end. */
async function round(
  running: Running,
  env: NodeJS.ProcessEnv,
  file: string,
  killAfter: number,
): Promise<Round> {
  const { mock, baseUrl } = running;
  mock.reset();
  const state = await mkdtemp(join(tmpdir(), 'orgchat-drill-'));
  const applied = (): number => mock.requests.list().filter((request) => request.applied).length;
  try {
    if (killAfter > 0) {
      const child = apply(baseUrl, env, state, file);
      const stop = afterEachAnswer(() => {
        if (applied() >= killAfter) child.kill('SIGKILL');
      });
      await exitCode(child);
      stop();
    }
    const exit = await exitCode(apply(baseUrl, env, state, file));
    const replayed = mock.requests.list().filter(({ replayOf }) => replayOf !== null).length;
    return { killedAfter: killAfter, applied: applied(), replayed, exit };
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

/** Calls `callback` after the server in this process handled a request, and before the client has the response. */
function afterEachAnswer(callback: () => void): () => void {
  const listener = (message: unknown): void => {
    const { response } = message as { response: ServerResponse };
    response.once('prefinish', callback);
  };
  subscribe('http.server.request.start', listener);
  return () => unsubscribe('http.server.request.start', listener);
}

function apply(baseUrl: string, env: NodeJS.ProcessEnv, state: string, file: string): ChildProcess {
  const args = [
    process.argv[1] ?? '',
    'config',
    'apply',
    file,
    '--yes',
    '--quiet',
    '--pacing',
    'off',
    '--json',
  ];
  return spawn(process.execPath, args, {
    stdio: 'ignore',
    env: {
      ...process.env,
      ORGCHAT_BASE_URL: baseUrl,
      ...env,
      ORGCHAT_API_KEY_FILE: undefined,
      ORGCHAT_PROFILE: undefined,
      ORGCHAT_JOURNAL: undefined,
      ORGCHAT_STATE_DIR: state,
    },
  });
}

const exitCode = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? -1));
  });
