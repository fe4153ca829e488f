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
    writeFailure(failure, format, args.includes('--debug'));
    return failure.exit;
  }
}
