import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CodesOption } from '@orgchat/spec';
import type { Command } from 'commander';
import { integer } from '../../args/value-parsers.ts';
import { createFetch } from '../../connection/proxy-settings.ts';
import type { Context } from '../../context.ts';
import type { RunStore } from '../../contract/run-file.ts';
import type { Stopped } from '../../contract/sender.ts';
import type { StartOptions } from '../../contract/start-run.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { type LockedBy, lockInFile, withLock } from '../../locks/with-lock.ts';
import type { resolveTarget } from '../../settings/api-target.ts';
import { stateDirectory } from '../../settings/directories.ts';

export const defaults = { budget: 100, rate: 40, timeoutMs: 30_000 };

export interface RateFlag {
  readonly rate?: number;
}

export const rateOption = (command: Command): Command =>
  command.option('--rate <n>', `requests per minute (default ${defaults.rate})`, integer(1, 60));

/**
 * Runs something against a server while no other command checks it. A request is in a file before it is sent, and each file
 * that is written renews the lock: it is for processes that cannot look at this one, as in another container.
 */
export async function runLocked<T>(
  context: Context,
  { baseUrl }: Awaited<ReturnType<typeof resolveTarget>>,
  codes: CodesOption | undefined,
  run: (options: StartOptions) => Promise<T>,
): Promise<T> {
  const [{ createFileStore, digest, minuteMs }, { longestWaitMs }] = await Promise.all([
    import('../../contract/run-file.ts'),
    import('../../contract/sender.ts'),
  ]);
  const { signal } = context.interrupt;
  const timeoutMs = context.options.timeout ?? defaults.timeoutMs;
  // Between two requests are at most the wait that a 429 asks for and that of the pacing.
  const validMs = timeoutMs + longestWaitMs + 2 * minuteMs;
  const send = (await createFetch(baseUrl, context.env)) ?? fetch;
  const directory = join(stateDirectory(), 'contract');
  const store = lockInFile(join(directory, `${digest(baseUrl)}.lock`));
  const files = createFileStore(directory);
  const options: Omit<StartOptions, 'store'> = {
    ...{ budget: defaults.budget, rate: defaults.rate, signal, codes, timeoutMs },
    fetch: (request) => send(request),
    now: Date.now,
    sleep: (ms) => sleep(ms, undefined, { signal }),
    onWait: (ms) => context.output.note(`The server limits requests; waiting ${Math.ceil(ms / 1000)} s.`),
  };
  try {
    return await withLock({ store, validMs, inProgressError: checkInProgressError }, (lock) => {
      const write: RunStore['write'] = async (...file) => {
        if (!(await lock.renew(validMs))) throw checkTakenOverError(baseUrl);
        await files.write(...file);
      };
      return run({ ...options, store: { ...files, write } });
    });
  } catch (error) {
    throw toStartError(error);
  }
}

const checkInProgressError = ({ who, expiry }: LockedBy): CliError =>
  new CliError(`Another check of this server is in progress: ${who}.`, {
    code: 'CHECK_IN_PROGRESS',
    exit: exitCodes.conflict,
    hint: `Wait until it has ended.${expiry}`,
  });

/** The lock expired because this process did not renew it in time. */
const checkTakenOverError = (baseUrl: string): CliError =>
  new CliError(
    `Another check of ${baseUrl} took over because the lock of this process expired. This process has stopped.`,
    {
      code: 'CHECK_TAKEN_OVER',
      exit: exitCodes.unknown,
      hint: 'Wait until the other one has ended, and run this one again.',
    },
  );

export const isLimit = ({ reason }: Stopped): boolean => reason !== 'unreachable' && reason !== 'interrupted';

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
