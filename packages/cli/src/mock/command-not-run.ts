import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';

/** The error of a command that could not be started: exit code 127 if it was not found, otherwise 126. */
export function commandNotRunError(program: string, error: NodeJS.ErrnoException): CliError {
  const missing = error.code === 'ENOENT';
  return new CliError(missing ? `Command not found: ${program}` : `Cannot run ${program}: ${error.message}`, {
    code: missing ? 'COMMAND_NOT_FOUND' : 'COMMAND_NOT_RUN',
    exit: missing ? exitCodes.mockNotFound : exitCodes.mockNotRun,
    hint: missing ? 'Check the name of the command and the PATH.' : 'Check that the file is executable.',
    cause: error,
  });
}
