import { formatPath } from '@orgchat/spec';

/** Thrown for an invalid seed or state, with the path of the problem: `organizations[0].tags[2].color`. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
  readonly path: readonly PropertyKey[];
  /** The line of the file, from 1, if the document was read from a file. */
  readonly line: number | undefined;

  constructor(problem: string, path: readonly PropertyKey[] = [], line?: number, file?: string) {
    const where = formatPath(path);
    const location = [file, line === undefined ? undefined : `line ${line}`, where || undefined];
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
