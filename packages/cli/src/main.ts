import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { toFailure } from './failures.ts';
import { type Format, formatNamedIn } from './globals.ts';
import { writeFailure } from './output/failure.ts';
import { createProgram } from './program.ts';
import { flush, ignoreClosedPipes } from './streams.ts';

/** Runs the command and ends the process with the exit code of its outcome. */
export async function main(args: readonly string[]): Promise<void> {
  ignoreClosedPipes();
  const code = await run(args);
  await flush();
  process.exit(code);
}

async function run(args: readonly string[]): Promise<number> {
  const outcome = { exitCode: exitCodes.done as number };
  try {
    await createProgram(outcome).parseAsync(args, { from: 'user' });
    return outcome.exitCode;
  } catch (error) {
    // Help and version are thrown too, after they were printed.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const failure = await toFailure(error);
    const format: Format | undefined = formatNamedIn(args);
    // The command that is run may end with 3 itself, so what keeps it from running is said otherwise.
    const code = isExec(args) && failure.exit === exitCodes.usage ? exitCodes.mockNotStarted : failure.exit;
    // Known before anything is written: a reader that closed its end must not turn a failure into success.
    process.exitCode = code;
    writeFailure(failure, format, args.includes('--debug'), ownsStdout(args));
    return code;
  }
}

const pathIn = (args: readonly string[]): string =>
  args
    .filter((arg) => !arg.startsWith('-'))
    .slice(0, 2)
    .join(' ');

/** `mock exec`, whose exit codes belong to the command it runs. */
const isExec = (args: readonly string[]): boolean => pathIn(args) === 'mock exec';

/** Commands whose stdout is not a result, and so gets no error document either unless one is asked for. */
const ownsStdout = (args: readonly string[]): boolean => ['mock exec', 'mock start'].includes(pathIn(args));
