import { CommanderError } from 'commander';
import { commandPath, ownArgs } from './command-path.ts';
import { exitCodes } from './exit-codes.ts';
import { toFailure } from './failures.ts';
import { type Format, formatNamedIn } from './globals.ts';
import { writeFailure } from './output/failure.ts';
import { createProgram } from './program.ts';
import { printsRaw } from './raw-output.ts';
import { flush, resultLost, watchStreams, writeError } from './streams.ts';

/** Runs the command and ends the process with the exit code of its outcome. */
export async function main(args: readonly string[]): Promise<void> {
  watchStreams();
  process.once('beforeExit', endedEarly);
  process.once('uncaughtException', (error) => void crash(error, args));
  const code = await run(args);
  await flush();
  process.exit(code === exitCodes.done && resultLost() !== undefined ? unreadResult() : code);
}

/** The work was done, but whoever waits for the result does not have it, and with it the ids. */
function unreadResult(): number {
  writeError(
    `orgchat: the command has finished, but its result could not be written to stdout: ${resultLost()?.message}\n  next: see what was done: orgchat ops list\n`,
  );
  return exitCodes.unknown;
}

/** A mistake of this program that no command could catch. Node itself would print it as it is, names of others in it. */
async function crash(error: unknown, args: readonly string[]): Promise<void> {
  writeFailure(await toFailure(error), formatNamedIn(args), ownArgs(args).includes('--debug'), false);
  await flush();
  process.exit(exitCodes.failed);
}

/** Nothing is left to wait for, and the command has not ended: that must not look like success. */
function endedEarly(): void {
  writeError(
    'orgchat: the command stopped before it had finished\n  next: report this; see what was done: orgchat ops list\n',
  );
  process.exitCode = exitCodes.failed;
}

async function run(args: readonly string[]): Promise<number> {
  const outcome = { exitCode: exitCodes.done as number };
  const program = createProgram(outcome);
  try {
    await program.parseAsync(args, { from: 'user' });
    return outcome.exitCode;
  } catch (error) {
    // Help and version are thrown too, after they were printed.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const failure = await toFailure(error);
    const format: Format | undefined = formatNamedIn(args);
    const path = commandPath(program, args, 2).join(' ');
    // The command that is run may end with 3 itself, so what keeps it from running is said otherwise.
    const isNotRun = path === 'mock exec' && failure.exit === exitCodes.usage;
    const code = isNotRun ? exitCodes.mockNotStarted : failure.exit;
    // Known before anything is written: a reader that closed its end must not turn a failure into success.
    process.exitCode = code;
    writeFailure(failure, format, ownArgs(args).includes('--debug'), printsRaw(program, args));
    return code;
  }
}
