import { isDeepStrictEqual } from 'node:util';
import { learnMember, learnTwin, plantedIn } from './learn-member.ts';
import { type Member, namedMembers, randomMembers } from './members/members.ts';
import { runAll } from './run-all.ts';
import { listProblems } from './run-matrix.ts';

/** Checks that reads learn what the descriptions of members say; throws if they learn something else, or change something. */
async function soakContractCheck(members: readonly Member[]): Promise<number> {
  for (const { name, choices } of members) {
    const { learned, changes } = await learnMember(choices);
    const planted = plantedIn(choices);
    const twin = await learnTwin(choices);
    if (changes > 0 || !isDeepStrictEqual(learned, planted) || !isDeepStrictEqual(twin.learned, planted))
      throw new Error(
        `${name}: learned ${JSON.stringify(learned)} and of its twin ${JSON.stringify(twin.learned)}, not ${JSON.stringify(planted)}, with ${changes} changes`,
      );
  }
  return members.length;
}

/** Judges every use of random members without and with their descriptions; throws if a verdict is not the expected one. */
export async function soakServerFamily(seed: number, count: number): Promise<Record<string, number>> {
  const members = randomMembers(seed, count);
  const sums: Record<string, number> = { servers: members.length };
  for (const isDescribed of [false, true]) {
    const cells = await runAll(members, isDescribed, { isSdkOverHttp: true });
    const problems = listProblems(cells, isDescribed);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    for (const { verdict } of cells) {
      const name = `${verdict} ${isDescribed ? 'with' : 'without'} a description`;
      sums[name] = (sums[name] ?? 0) + 1;
    }
  }
  sums.learned = await soakContractCheck([...namedMembers, ...members]);
  return sums;
}
