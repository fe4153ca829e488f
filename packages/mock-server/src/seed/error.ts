import { placeOf } from '@orgchat/spec';

/** Why a seed or a state is not taken, and where in it: `organizations[0].tags[2].color`. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
  readonly path: readonly PropertyKey[];
  /** The line of the file, from 1, where it was read from text. */
  readonly line: number | undefined;

  constructor(problem: string, path: readonly PropertyKey[] = [], line?: number, file?: string) {
    const where = placeOf(path);
    const place = [file, line === undefined ? undefined : `line ${line}`, where || undefined];
    super([...place.filter((part) => part !== undefined), problem].join(': '));
    this.path = path;
    this.line = line;
    this.problem = problem;
  }

  readonly problem: string;

  /** The same, found in a text. */
  at(line: number | undefined, file: string | undefined): SeedError {
    return new SeedError(this.problem, this.path, line, file);
  }
}
