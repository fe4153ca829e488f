import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { loopbackNoProxy } from '../connection/proxy-settings.ts';
import type { Context } from '../context.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { toCliError } from '../errors/to-cli-error.ts';
import { parseFault } from './fault-spec.ts';
import type { ExecOptions } from './mock-options.ts';
import { ProcessGroup } from './process-group.ts';
import { chooseKey, codesEnvironment, type Running, readMockCodes, runMock } from './run-mock.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Runs a command with its own mock. This process writes nothing to the stdout of the command. */
export async function execWithMock(
  context: Context,
  options: ExecOptions,
  words: readonly string[],
): Promise<void> {
  const [program, ...args] = words;
  if (program === undefined)
    throw usageError(
      'Missing command after "mock exec --".',
      'Usage: orgchat mock exec -- COMMAND ARGUMENTS',
    );
  const mock = await started(context, options);
  try {
    const env = {
      ...context.env,
      ORGCHAT_BASE_URL: mock.baseUrl,
      ORGCHAT_API_KEY: mock.key,
      ORGCHAT_MOCK_URL: mock.controlUrl,
      ...codesEnvironment(context),
      ...withoutProxy(context.env),
      // The command must not use the settings of a real API.
      ORGCHAT_API_KEY_FILE: undefined,
      ORGCHAT_PROFILE: undefined,
    };
    context.exitCode = await runChild(program, args, env, () => context.interrupt.stopHandlingSignals());
  } finally {
    await mock.close();
  }
}

async function started(context: Context, options: ExecOptions): Promise<Running & { readonly key: string }> {
  const faults = (options.fault ?? []).map((spec) => parseFault([spec]));
  try {
    const running = await runMock({
      ...options,
      ...(await readMockCodes(context)),
      port: 0,
      host: '127.0.0.1',
    });
    try {
      const key = chooseKey(running.mock, options.key);
      for (const fault of faults) running.arm(fault);
      return { ...running, key };
    } catch (error) {
      await running.close();
      throw error;
    }
  } catch (error) {
    const failure = await toCliError(error);
    throw new CliError(`The mock server could not be started: ${failure.message}`, {
      code: failure.code,
      exit: exitCodes.mockNotStarted,
      hint: failure.hint,
      cause: error,
    });
  }
}

/** Excludes this machine from proxies, for programs that do not do so themselves. */
function withoutProxy(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const noProxy = env.no_proxy || env.NO_PROXY;
  if (noProxy === '*') return {};
  const all = [noProxy, loopbackNoProxy].filter(Boolean).join(',');
  return { NO_PROXY: all, no_proxy: all };
}

/** Runs the command with its group, passes signals on to it, and returns its exit code when all of it has ended. */
async function runChild(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  takeOver: () => void,
): Promise<number> {
  let group: ProcessGroup | undefined;
  let signalCount = 0;
  // Before the command runs, so that a signal never ends only this process.
  const listeners = forwarded.map((signal) => {
    const listener = (): void => {
      // A terminal has sent these to the whole group already.
      if (group?.sharesTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT')) return;
      // A second signal skips the grace period.
      if (signal === 'SIGTERM' && ++signalCount > 1) void group?.kill();
      else group?.signal(signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  takeOver();
  try {
    group = new ProcessGroup(program, args, env);
    return await waitForExit(group.child, program);
  } finally {
    await group?.terminateRest();
    for (const stop of listeners) stop();
  }
}

function waitForExit(child: ChildProcess, program: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(notRunError(program, error)));
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

function notRunError(program: string, error: NodeJS.ErrnoException): CliError {
  const missing = error.code === 'ENOENT';
  return new CliError(missing ? `Command not found: ${program}` : `Cannot run ${program}: ${error.message}`, {
    code: missing ? 'COMMAND_NOT_FOUND' : 'COMMAND_NOT_RUN',
    exit: missing ? exitCodes.mockNotFound : exitCodes.mockNotRun,
    hint: missing ? 'Check the name of the command and the PATH.' : 'Check that the file is executable.',
    cause: error,
  });
}
