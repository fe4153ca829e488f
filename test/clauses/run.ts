/*
 * `npm run clauses` writes test/CLAUSES.md. It fails if a clause has no test or a title names an unknown clause.
 */
import { writeFileSync } from 'node:fs';
import { page, problemsOf } from './check.ts';
import { clausesOf, matrixOf } from './clauses.ts';
import { collect } from './collect.ts';
import { markdownOf } from './markdown.ts';

const matrix = matrixOf(await collect(), clausesOf());
const problems = problemsOf(matrix);
writeFileSync(page, markdownOf(matrix));
for (const problem of problems) console.error(problem);
console.log(`${matrix.rows.size - matrix.untested.length} of ${matrix.rows.size} clauses have tests.`);
process.exitCode = problems.length === 0 ? 0 : 1;
