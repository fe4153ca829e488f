import { type Command, CommanderError } from 'commander';
import { loadCommandLine, readCommandLine } from './args/command-line.ts';
import { type Format, findRequestedFormat } from './args/global-options.ts';
import { writesRawOutput } from './args/raw-output.ts';
import { repeatJournal } from './args/repeat-journal.ts';
import type { CommandOutcome } from './context.ts';
import { loadCommand } from './define-command.ts';
import { toCliError } from './error-conversion/to-cli-error.ts';
import { exitCodes } from './errors/exit-codes.ts';
import { flush, getWriteError, watchStreams, writeError } from './output/streams.ts';
import { writeCliError } from './output/write-cli-error.ts';
import { createProgram } from './program.ts';

/** Runs the command and ends the process with the exit code of its outcome. */
export async function main(args: readonly string[]): Promise<void> {
  const outcome: CommandOutcome = { exitCode: exitCodes.done };
  const program = createProgram(outcome);
  const listCommand = (): string =>
    repeatJournal('orgchat ops list', readCommandLine(program, args).options.get('--journal'));
  watchStreams(listCommand);
  process.once('beforeExit', () => reportEarlyEnd(listCommand()));
  process.once('uncaughtException', (error) => void reportCrash(error, program, args));
  const code = await run(program, outcome, args);
  await flush();
  process.exit(
    code === exitCodes.done && getWriteError() !== undefined ? reportUnwrittenResult(listCommand()) : code,
  );
}

/** Reports that the work was done but its result, with the ids, could not be written. */
function reportUnwrittenResult(listCommand: string): number {
  writeError(
    `orgchat: the command finished, but its result could not be written to stdout: ${getWriteError()?.message}\n  next: see what was done: ${listCommand}\n`,
  );
  return exitCodes.unknown;
}

/** Reports a bug that no command caught. Node would print it unescaped, with names of others in it. */
async function reportCrash(error: unknown, program: Command, args: readonly string[]): Promise<void> {
  const line = readCommandLine(program, args);
  const format = findRequestedFormat(line, process.env);
  writeCliError(await toCliError(error), format, line.options.has('--debug'), false);
  await flush();
  process.exit(exitCodes.failed);
}

/** Reports that the event loop is empty but the command has not ended: that must not look like success. */
function reportEarlyEnd(listCommand: string): void {
  writeError(
    `orgchat: the command ended before it was finished\n  next: report this bug; see what was done: ${listCommand}\n`,
  );
  process.exitCode = exitCodes.failed;
}

async function run(program: Command, outcome: CommandOutcome, args: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return outcome.exitCode;
  } catch (error) {
    // Help and version are thrown as well, after they were printed.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const failure = await toCliError(error);
    const line = await loadCommandLine(program, args, loadCommand);
    const isRaw = writesRawOutput(line);
    // Raw output has no format, so a variable for all runs does not select one.
    const format: Format | undefined = findRequestedFormat(line, isRaw ? {} : process.env);
    // The command that is run may itself exit with 3, so errors before it use another code.
    const isNotRun = line.path.join(' ') === 'mock exec' && failure.exit === exitCodes.usage;
    const code = isNotRun ? exitCodes.mockNotStarted : failure.exit;
    // Set before anything is written: a reader that closed its end must not turn an error into success.
    process.exitCode = code;
    writeCliError(failure, format, line.options.has('--debug'), isRaw);
    return code;
  }
}
