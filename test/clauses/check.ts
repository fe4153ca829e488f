import { readFileSync } from 'node:fs';
import { type CollectedTest, clausesOf, type Matrix, matrixOf } from './clauses.ts';
import { markdownOf } from './markdown.ts';

export const page = new URL('../CLAUSES.md', import.meta.url);

/** Problems of a matrix: clauses without a test, and titles with an unknown clause number. */
export const problemsOf = ({ untested, strangers }: Matrix): string[] => [
  ...untested.map((clause) => `No test names clause ${clause}.`),
  ...strangers.map((where) => `Unknown clause ${where}`),
];

/** Problems of all tests, including whether the page is up to date. */
export function checkPage(
  tests: readonly CollectedTest[],
  clauses = clausesOf(),
  written = readFileSync(page, 'utf8'),
): string[] {
  const matrix = matrixOf(tests, clauses);
  const problems = problemsOf(matrix);
  if (markdownOf(matrix) !== written)
    problems.push('test/CLAUSES.md is out of date: run `npm run clauses` and commit what it writes.');
  return problems;
}
