import { toShellWord } from '../../args/shell-word.ts';
import { type CliError, invalidInputError } from '../../errors/cli-error.ts';

/** A problem in a file. */
export interface Problem {
  readonly line: number;
  readonly message: string;
}

/** The name of a file in a message. */
const formatFileName = (name: string): string => (name === '-' ? 'Standard input' : name);

/** Formats every problem with file and line. */
function listed(name: string, problems: readonly Problem[]): string[] {
  const where = name === '-' ? 'line ' : `${name}:`;
  return problems
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, message }) => `${where}${line}: ${message}`);
}

/** The error of a file that does not match the contract. */
export function invalidFileError(name: string, problems: readonly Problem[]): CliError {
  return invalidInputError(
    `${formatFileName(name)} is not valid:`,
    `Fix the file, then check it offline: orgchat config validate ${toShellWord(name)}`,
    { problems },
    listed(name, problems),
  );
}

/** The error of a valid file whose references do not exist in this organization. */
export function unresolvableFileError(name: string, problems: readonly Problem[]): CliError {
  return invalidInputError(
    `${formatFileName(name)} is valid but does not match this organization:`,
    'Change the file or the organization. See its records: orgchat config export',
    { problems },
    listed(name, problems),
  );
}
