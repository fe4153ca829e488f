/*
 * `npm run clauses` writes test/CLAUSES.md. It fails if a clause has no test or a title names an unknown clause.
 */
import { writeFileSync } from 'node:fs';
import { listProblems, page } from './check.ts';
import { createMatrix, readClauses } from './clauses.ts';
import { collect } from './collect.ts';
import { toMarkdown } from './markdown.ts';

const matrix = createMatrix(await collect(), readClauses());
const problems = listProblems(matrix);
writeFileSync(page, toMarkdown(matrix));
for (const problem of problems) console.error(problem);
console.log(`${matrix.rows.size - matrix.untested.length} of ${matrix.rows.size} clauses have tests.`);
process.exitCode = problems.length === 0 ? 0 : 1;
