import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { loopbackNoProxy } from '../connection/through-proxy.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';
import { toFailure } from '../failures.ts';
import { Family } from './family.ts';
import { parseFault } from './fault-spec.ts';
import type { ExecOptions } from './options.ts';
import { chooseKey, codesEnvironment, codesFor, type Running, runMock } from './run.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Runs a command with a mock of its own. Of this process itself nothing appears on the command's stdout. */
export async function execWithMock(
  context: Context,
  options: ExecOptions,
  words: readonly string[],
): Promise<void> {
  const [program, ...args] = words;
  if (program === undefined) throw usage('No command is given.', 'orgchat mock exec -- COMMAND ARGUMENTS');
  const mock = await started(context, options);
  try {
    const env = {
      ...context.env,
      ORGCHAT_BASE_URL: mock.baseUrl,
      ORGCHAT_API_KEY: mock.key,
      ORGCHAT_MOCK_URL: mock.controlUrl,
      ...codesEnvironment(context),
      ...withoutProxy(context.env),
      // Whatever the caller has set for the real API is not for this command.
      ORGCHAT_API_KEY_FILE: undefined,
      ORGCHAT_PROFILE: undefined,
    };
    context.exitCode = await runChild(program, args, env, () => context.interrupt.handOver());
  } finally {
    await mock.close();
  }
}

async function started(context: Context, options: ExecOptions): Promise<Running & { readonly key: string }> {
  const faults = (options.fault ?? []).map((spec) => parseFault([spec]));
  try {
    const running = await runMock({ ...options, ...(await codesFor(context)), port: 0, host: '127.0.0.1' });
    try {
      const key = chooseKey(running.mock, options.key);
      for (const fault of faults) running.arm(fault);
      return { ...running, key };
    } catch (error) {
      await running.close();
      throw error;
    }
  } catch (error) {
    const failure = await toFailure(error);
    throw new Failure(`The mock server could not be started: ${failure.message}`, {
      code: failure.code,
      exit: exitCodes.mockNotStarted,
      hint: failure.hint,
      cause: error,
    });
  }
}

/** For programs that know proxies and do not know by themselves that this machine is reached without. */
function withoutProxy(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const known = env.no_proxy || env.NO_PROXY;
  if (known === '*') return {};
  const all = [known, loopbackNoProxy].filter(Boolean).join(',');
  return { NO_PROXY: all, no_proxy: all };
}

/** Runs the command with its family, passes signals on to it, and returns its exit code when all of it has ended. */
async function runChild(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  takeOver: () => void,
): Promise<number> {
  let family: Family | undefined;
  let told = 0;
  // Before the command runs, so that there is no moment in which a signal would end this process alone.
  const listeners = forwarded.map((signal) => {
    const listener = (): void => {
      // A terminal has sent these to the whole group already.
      if (family?.sharesTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT')) return;
      // Who says it twice does not want to wait.
      if (signal === 'SIGTERM' && ++told > 1) void family?.kill();
      else family?.signal(signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  takeOver();
  try {
    family = new Family(program, args, env);
    return await ended(family.child, program);
  } finally {
    await family?.endLeftOver();
    for (const stop of listeners) stop();
  }
}

function ended(child: ChildProcess, program: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(notRun(program, error)));
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

function notRun(program: string, error: NodeJS.ErrnoException): Failure {
  const missing = error.code === 'ENOENT';
  return new Failure(
    missing ? `There is no command ${program}.` : `${program} cannot be run: ${error.message}`,
    {
      code: missing ? 'COMMAND_NOT_FOUND' : 'COMMAND_NOT_RUN',
      exit: missing ? exitCodes.mockNotFound : exitCodes.mockNotRun,
      hint: missing ? 'Check its name and the PATH.' : 'Check that it is a program you may run.',
      cause: error,
    },
  );
}
