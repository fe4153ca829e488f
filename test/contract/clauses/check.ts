import { readFileSync } from 'node:fs';
import { type CollectedTest, createMatrix, type Matrix, readClauses } from './clauses.ts';
import { toMarkdown } from './markdown.ts';

export const page = new URL('../../CLAUSES.md', import.meta.url);

/** Problems of a matrix: clauses without a test, and titles with an unknown clause number. */
export const listProblems = ({ untested, strangers }: Matrix): string[] => [
  ...untested.map((clause) => `No test names clause ${clause}.`),
  ...strangers.map((where) => `Unknown clause ${where}`),
];

/** Problems of all tests, including whether the page is up to date. */
export function checkPage(
  tests: readonly CollectedTest[],
  clauses = readClauses(),
  written = readFileSync(page, 'utf8'),
): string[] {
  const matrix = createMatrix(tests, clauses);
  const problems = listProblems(matrix);
  if (toMarkdown(matrix) !== written)
    problems.push('test/CLAUSES.md is out of date: run `npm run clauses` and commit what it writes.');
  return problems;
}
