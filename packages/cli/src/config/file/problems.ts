import { type Failure, invalidInput } from '../../failure.ts';

/** Something in a file that is not as it must be. */
export interface Problem {
  readonly line: number;
  readonly message: string;
}

/** What a file is called in a message. */
export const shownName = (name: string): string => (name === '-' ? 'Standard input' : name);

/** Every problem, where an editor finds it. */
function listed(name: string, problems: readonly Problem[]): string[] {
  const where = name === '-' ? 'line ' : `${name}:`;
  return problems
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, message }) => `${where}${line}: ${message}`);
}

/** The file does not hold to the contract. */
export function invalidFile(name: string, problems: readonly Problem[]): Failure {
  return invalidInput(
    `${shownName(name)} is not valid:`,
    `Mend it there and check it without the network: orgchat config validate ${name}`,
    { problems },
    listed(name, problems),
  );
}

/** The file is valid, and what it refers to is not to be found in this organization. */
export function unfitFile(name: string, problems: readonly Problem[]): Failure {
  return invalidInput(
    `${shownName(name)} is valid by itself and does not fit this organization:`,
    'Change the file there, or the organization; what it has: orgchat config export',
    { problems },
    listed(name, problems),
  );
}
