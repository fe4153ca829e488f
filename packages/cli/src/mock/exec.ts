import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';
import { toFailure } from '../failures.ts';
import { parseFault } from './fault-spec.ts';
import type { ExecOptions } from './options.ts';
import { type Running, runMock } from './run.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Runs a command with a mock of its own. Of this process itself nothing appears on the command's stdout. */
export async function execWithMock(
  context: Context,
  options: ExecOptions,
  words: readonly string[],
): Promise<void> {
  const [program, ...args] = words;
  if (program === undefined) throw usage('No command is given.', 'orgchat mock exec -- COMMAND ARGUMENTS');
  const mock = await started(options);
  try {
    const env = {
      ...context.env,
      ORGCHAT_BASE_URL: mock.baseUrl,
      ORGCHAT_API_KEY: options.key,
      ORGCHAT_MOCK_URL: mock.controlUrl,
      // Whatever the caller has set for the real API is not for this command.
      ORGCHAT_API_KEY_FILE: undefined,
      ORGCHAT_PROFILE: undefined,
    };
    context.exitCode = await runChild(program, args, env, () => context.interrupt.handOver());
  } finally {
    await mock.close();
  }
}

async function started(options: ExecOptions): Promise<Running> {
  const faults = (options.fault ?? []).map((spec) => parseFault([spec]));
  try {
    const mock = await runMock({ ...options, port: 0, host: '127.0.0.1' });
    for (const fault of faults) mock.arm(fault);
    return mock;
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

/**
 * Runs the command and returns its exit code. On a terminal it shares the process group, so that Ctrl-C reaches it
 * there; elsewhere it gets a group of its own, which is ended with it, so that none of its children is left over.
 */
function runChild(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  takeOver: () => void,
): Promise<number> {
  const ownGroup = !process.stdin.isTTY && process.platform !== 'win32';
  let child: ChildProcess | undefined;
  const kill = (signal: NodeJS.Signals): void => {
    try {
      if (ownGroup && child?.pid !== undefined) process.kill(-child.pid, signal);
      else child?.kill(signal);
    } catch {
      // It is gone already.
    }
  };
  // Before the command runs, so that there is no moment in which a signal would end this process alone.
  const listeners = forwarded.map((signal) => {
    // A terminal has sent SIGINT and SIGQUIT to the whole group already.
    const shared = !ownGroup && (signal === 'SIGINT' || signal === 'SIGQUIT');
    const listener = (): void => (shared ? undefined : kill(signal));
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  takeOver();
  const end = (): void => {
    if (ownGroup) kill('SIGTERM');
    for (const stop of listeners) stop();
  };
  return new Promise((resolve, reject) => {
    child = spawn(program, args, { stdio: 'inherit', env, detached: ownGroup });
    child.once('error', (error: NodeJS.ErrnoException) => {
      end();
      reject(notRun(program, error));
    });
    child.once('exit', (code, signal) => {
      end();
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
