import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/cli-error.ts';
import { logRequests } from '../access-log.ts';
import { createCommandEnvironment, createCommandFolder } from '../command-environment.ts';
import { commandNotRunError } from '../command-not-run.ts';
import { parseFault } from '../fault-spec.ts';
import type { ExecOptions } from '../mock-options.ts';
import { ProcessGroup } from '../process-group.ts';
import { chooseKey, type Running, runMockFor } from '../run-mock.ts';
import { checkLogFile, type LogFile, openLogFile } from './log-file.ts';
import { RequestRecorder } from './request-recorder.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Runs a command with its own mock. This process writes nothing to the stdout of the command. If the command fails, it says
 * on stderr which requests the mock refused, and why.
 */
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
  if (options.log !== undefined) await checkLogFile(options.log);
  const { mock, url, key, log, close } = await started(context, options);
  const recorder = new RequestRecorder(mock, url, log?.write);
  const folder = await createCommandFolder();
  let exit: number | undefined;
  try {
    if (options.accessLog !== undefined && options.accessLog !== 'off') logRequests(options.accessLog);
    const env = createCommandEnvironment(context, mock.addresses(url), key, folder);
    exit = await runChild(program, args, env, () => context.interrupt.stopHandlingSignals());
    context.exitCode = exit;
  } finally {
    await close();
    recorder.stop();
    const problem = log?.close();
    if (problem !== undefined)
      context.output.warn(`The log ${options.log} is not complete: ${problem.message}`);
    await folder.remove();
  }
  if (exit !== 0)
    for (const line of [`The command exited with ${exit}.`, ...recorder.report()]) context.output.note(line);
}

interface StartedMock extends Running {
  readonly key: string;
  readonly log: LogFile | undefined;
}

async function started(context: Context, options: ExecOptions): Promise<StartedMock> {
  const faults = (options.fault ?? []).map((spec) => parseFault([spec]));
  const { log, rateLimit = false } = options;
  return runMockFor(context, { ...options, rateLimit }, (running) => {
    const key = chooseKey(running.mock, options.key);
    for (const fault of faults) running.arm(fault);
    return { ...running, key, log: log === undefined ? undefined : openLogFile(log, running.mock) };
  });
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
    child.once('error', (error: NodeJS.ErrnoException) => reject(commandNotRunError(program, error)));
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
