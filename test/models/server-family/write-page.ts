/*
 * `npm run servers` writes docs/servers.md. It fails if a use does anything else than it should. With `-- --check` nothing
 * is written, and it also fails if the page would change. With `-- --check-command` it judges the command alone on the named
 * servers, by turns without and with their descriptions, with `-- --check-pairs` half of the uses on the servers of each pair
 * of choices, and with `-- --check-twins` the command alone on a mock with a file that a check learned.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { namedMembers, pairwiseMembers, randomMembers } from './members/members.ts';
import { runAll } from './run-all.ts';
import { listProblems, oneResource, type Select } from './run-matrix.ts';
import { createTwin } from './twin.ts';
import { findDifferences, page, writeMatrix } from './write-matrix.ts';

const [, , mode] = process.argv;

async function judgePairs(isDescribed: boolean): Promise<string[]> {
  // All resources and uses take minutes: see the soak. Each server has every sixth use without a description, and two of
  // six with it. Without descriptions the SDK is judged in process: see family.services.test.ts.
  const turns = isDescribed ? [1, 4] : [0];
  const select: Select = (use, member, number) =>
    turns.includes(number % 6) ? oneResource(use, member, number) : [];
  const options = { select, ...(isDescribed ? { isSdkOverHttp: true } : { uses: [] }) };
  return listProblems(await runAll(pairwiseMembers(), isDescribed, options), isDescribed);
}

async function judgeCommand(isDescribed: boolean): Promise<string[]> {
  // All of it takes minutes of computing: see the soak, which checks the whole page. Each use has every second resource.
  const members = namedMembers.filter((_, number) => (number % 2 === 0) === isDescribed);
  const select: Select = ({ resources }, _, number) =>
    resources.filter((_resource, index) => resources.length === 1 || (index + number) % 2 === 0);
  const cells = await runAll(members, isDescribed, { uses: [], select });
  return [...listProblems(cells, isDescribed), ...findDifferences(cells, isDescribed)];
}

async function judgeTwins(isDescribed: boolean): Promise<string[]> {
  const twins = await Promise.all(randomMembers(1, 1).map(createTwin));
  return listProblems(await runAll(twins, isDescribed, { uses: [] }), isDescribed);
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

const judges: Readonly<Record<string, (isDescribed: boolean) => Promise<string[]>>> = {
  '--check-command': judgeCommand,
  '--check-pairs': judgePairs,
  '--check-twins': judgeTwins,
};
const judge = judges[mode ?? ''];
const problems = judge ? [...(await judge(false)), ...(await judge(true))] : await judgeNamed();
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
