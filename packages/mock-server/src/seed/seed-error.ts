import { formatPath } from '@orgchat/spec';

/** Thrown for an invalid seed or state, with the path of the problem: `organizations[0].tags[2].color`. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
  readonly path: readonly PropertyKey[];
  /** The line of the file, from 1, if the document was read from a file. */
  readonly line: number | undefined;

  /** `problem` names the place in the document; `path` is the same place for programs. */
  constructor(problem: string, path: readonly PropertyKey[] = [], line?: number, file?: string) {
    const location = [file, line === undefined ? undefined : `line ${line}`];
    super([...location.filter((part) => part !== undefined), problem].join(': '));
    this.path = path;
    this.line = line;
    this.problem = problem;
  }

  readonly problem: string;

  /** The same error with its line in a file. */
  at(line: number | undefined, file: string | undefined): SeedError {
    return new SeedError(this.problem, this.path, line, file);
  }
}

/** Creates an error whose problem does not name its place. */
export const seedErrorAt = (path: readonly PropertyKey[], problem: string): SeedError =>
  new SeedError(`${formatPath(path)}: ${problem}`, path);
