/*
 * `npm run servers` writes docs/servers.md. It fails if a use does anything else than it should.
 */
import { writeFileSync } from 'node:fs';
import { namedMembers } from './members/members.ts';
import { runAll } from './run-all.ts';
import { listProblems } from './run-matrix.ts';
import { page, writeMatrix } from './write-matrix.ts';

const plain = await runAll(namedMembers, false);
const described = await runAll(namedMembers, true);
writeFileSync(page, writeMatrix(plain, described));
const problems = [...listProblems(plain, false), ...listProblems(described, true)];
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
