/*
 * `npm run clauses`: writes test/CLAUSES.md, and fails where a clause has no test or a title names a clause that
 * does not exist. With --check it writes nothing, and fails where the page is out of date as well.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { clausesOf, matrixOf } from './clauses.ts';
import { collect } from './collect.ts';
import { markdownOf } from './markdown.ts';

const page = new URL('../CLAUSES.md', import.meta.url);
const matrix = matrixOf(await collect(), clausesOf());
const { untested, strangers } = matrix;
const problems = [
  ...untested.map((clause) => `No test names clause ${clause}.`),
  ...strangers.map((where) => `There is no clause ${where}`),
];
const text = markdownOf(matrix);
if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
  problems.push('test/CLAUSES.md is out of date: run `npm run clauses` and commit what it writes.');
}
for (const problem of problems) console.error(problem);
console.log(`${matrix.rows.size - untested.length} of ${matrix.rows.size} clauses have tests.`);
process.exitCode = problems.length === 0 ? 0 : 1;
