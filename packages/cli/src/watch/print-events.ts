import { join } from 'node:path';
import { AbortedError, memoryCursor, type WatchEvent, type WatchTargets } from '@orgchat/sdk';
import { fileCursor } from '@orgchat/sdk/node';
import type { Context } from '../context.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { escapeLine } from '../output/escape.ts';
import { flush, writeError } from '../output/streams.ts';
import { stateDirectory } from '../settings/directories.ts';
import { runForEvent } from './run-for-event.ts';

/** The flags of the commands that watch. */
export interface WatchFlags {
  readonly exec?: string;
  readonly onError?: 'stop' | 'skip';
  readonly since?: 'now' | 'all';
  readonly every?: number;
  readonly cursor?: string;
}

/** Throws a usage error for flags that do not fit together. */
export function requireWatchFlags({ exec, onError }: WatchFlags): void {
  if (onError !== undefined && exec === undefined)
    throw usageError('--on-error requires --exec.', 'Pass --exec, or leave out --on-error.');
}

/** Prints events, or runs the line of `--exec` for each, until the command is interrupted. */
export async function printEvents(
  context: Context,
  { exec, onError, since, every, cursor }: WatchFlags,
  targets: WatchTargets,
): Promise<void> {
  const { interrupt, output } = context;
  const options = {
    since,
    everyMs: every,
    cursor:
      cursor === undefined
        ? memoryCursor()
        : fileCursor(cursor, { directory: join(stateDirectory(), 'cursors') }),
    signal: interrupt.signal,
    onWarning: (message: string) => output.warn(message),
  };
  try {
    for await (const event of (await context.client()).watch(targets, options)) {
      if (exec === undefined) {
        await output.line(event);
        // The cursor moves with the next event, so the line has to be written, or the reader to be gone.
        await flush();
        continue;
      }
      const failure = await interrupt.runToEnd('the command of --exec', () => runForEvent(exec, event));
      if (failure === undefined) continue;
      if (interrupt.stopping) return;
      if (onError !== 'skip') {
        writeError(`${escapeLine(JSON.stringify(event))}\n`);
        throw execError(failure, event, cursor);
      }
      output.warn(`The command of --exec ${failure}. Skipped: ${JSON.stringify(event)}`);
    }
  } catch (error) {
    if (!(error instanceof AbortedError && interrupt.stopping)) throw error;
  }
}

function execError(failure: string, event: WatchEvent, cursor: string | undefined): CliError {
  return new CliError(`The command of --exec ${failure}. The cursor did not move.`, {
    code: 'EXEC_FAILED',
    exit: exitCodes.failed,
    hint:
      cursor === undefined
        ? 'Fix the command. With --cursor NAME, the event comes again when you run this again.'
        : 'Fix the command and run this again: the event comes again. To continue after a failure: --on-error skip',
    extra: { event },
  });
}
