/*
 * `npm run servers` writes docs/servers.md. It fails if a use does anything else than it should. With `-- --check` nothing is
 * written, and it also fails if the page would change; with `-- --check-pairs` it judges the servers of each pair of choices.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { namedMembers, pairwiseMembers } from './members/members.ts';
import { runAll } from './run-all.ts';
import { listProblems, oneResource } from './run-matrix.ts';
import { page, writeMatrix } from './write-matrix.ts';

const [, , mode] = process.argv;

async function judgePairs(isDescribed: boolean): Promise<string[]> {
  // All resources take minutes: see the soak.
  const options = { select: oneResource, isSdkOverHttp: true };
  return listProblems(await runAll(pairwiseMembers(), isDescribed, options), isDescribed);
}

async function judgeNamed(): Promise<string[]> {
  const plain = await runAll(namedMembers, false);
  const described = await runAll(namedMembers, true);
  const text = writeMatrix(plain, described);
  const isCheck = mode === '--check';
  if (!isCheck) writeFileSync(page, text);
  const isOld = isCheck && readFileSync(page, 'utf8') !== text;
  return [
    ...(isOld ? ['docs/servers.md is not what the uses show: run npm run servers.'] : []),
    ...listProblems(plain, false),
    ...listProblems(described, true),
  ];
}

const problems =
  mode === '--check-pairs' ? [...(await judgePairs(false)), ...(await judgePairs(true))] : await judgeNamed();
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
