import { readFileSync } from 'node:fs';
import { listNumbers } from '@orgchat/spec/numbered-places';

/** A test as vitest collected it: its name holds every `describe` above it, joined by ` > `. */
export interface CollectedTest {
  /** From the root of the repository. */
  readonly file: string;
  readonly name: string;
}

/** The tests of the matrix itself. Their titles name clauses only as examples. */
const ownTests = 'test/contract/clauses/matrix.test.ts';

export const withoutOwnFixtures = (tests: readonly CollectedTest[]): CollectedTest[] =>
  tests.filter(({ file }) => file !== ownTests);

const specification = new URL('../../../spec/SPECIFICATION.md', import.meta.url);

/** The numbers of all clauses, in the order of the document. */
export function readClauses(text = readFileSync(specification, 'utf8')): string[] {
  return listNumbers(text, 'clause');
}

const id = String.raw`\d+(?:\.\d+)+`;
/** `[4.4.7]` and `[4.4.7, 4.4.8]`, also with the quotes that vitest puts around values of a table. */
const named = new RegExp(String.raw`\[['"]?(${id}(?:, ?${id})*)['"]?\]`, 'g');
const range = new RegExp(String.raw`\[(${id})\] to \[(${id})\]`, 'g');

/** The clauses in a test name: those in brackets, and ranges joined by "to". */
export function findNamedClauses(name: string, clauses: readonly string[]): Set<string> {
  const ids = new Set(Array.from(name.matchAll(named), ([, list = '']) => list.split(/, ?/)).flat());
  for (const [, first = '', last = ''] of name.matchAll(range)) {
    for (const between of clauses.slice(clauses.indexOf(first), clauses.indexOf(last) + 1)) ids.add(between);
  }
  return ids;
}

/** The part of a test name to show in the matrix: from the clause on, without the numbers. */
export function getTitle(name: string, clause: string, clauses: readonly string[]): string {
  const parts = name.split(' > ');
  const first = parts.findIndex((part) => findNamedClauses(part, clauses).has(clause));
  const title = parts.slice(first).join(' › ');
  return title.replace(range, '').replace(named, '').replace(/\s+/g, ' ').trim();
}

export interface Matrix {
  /** The titles of the tests of each clause, by file. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
  readonly untested: readonly string[];
  /** Tests that name an unknown clause. */
  readonly strangers: readonly string[];
}

export function createMatrix(tests: readonly CollectedTest[], clauses: readonly string[]): Matrix {
  const rows = new Map(clauses.map((clause) => [clause, new Map<string, Set<string>>()]));
  const strangers: string[] = [];
  for (const { file, name } of tests) {
    for (const clause of findNamedClauses(name, clauses)) {
      const row = rows.get(clause);
      if (row === undefined) {
        strangers.push(`${clause} in ${file}: ${name}`);
        continue;
      }
      const titles = row.get(file) ?? new Set();
      row.set(file, titles.add(getTitle(name, clause, clauses)));
    }
  }
  const untested = clauses.filter((clause) => rows.get(clause)?.size === 0);
  return { rows, untested, strangers };
}
