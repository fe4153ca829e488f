import { isDeepStrictEqual } from 'node:util';
import { killAndClean, learnMember, learnTwin, plantedIn, shownBy, violatedBy } from './learn-member.ts';
import { type Member, namedMembers, randomMembers } from './members/members.ts';
import { runAll } from './run-all.ts';
import { listProblems } from './run-matrix.ts';

/** No check sends more. */
const mostKills = 400;

/**
 * Checks that a check learns what the descriptions of members say; throws if it learns something else, changes something
 * by reads, or leaves something.
 */
async function soakContractCheck(members: readonly Member[], isWriting: boolean): Promise<number> {
  for (const { name, choices } of members) {
    const { learned, violated, changes, isUnchanged } = await learnMember(choices, isWriting);
    const planted = plantedIn(choices, isWriting);
    const twin = await learnTwin(choices, isWriting);
    const isLearned =
      isDeepStrictEqual(learned, shownBy(choices, isWriting)) && isDeepStrictEqual(twin.learned, planted);
    const isJust = isDeepStrictEqual(violated, violatedBy(choices)) && twin.violated.length === 0;
    if ((changes > 0 && !isWriting) || !isUnchanged || twin.left > 0 || !isLearned || !isJust)
      throw new Error(
        `${name}: learned ${JSON.stringify(learned)} and of its twin ${JSON.stringify(twin.learned)}, not ${JSON.stringify(shownBy(choices, isWriting))} and ${JSON.stringify(planted)}, against it ${JSON.stringify(violated)} and its twin ${JSON.stringify(twin.violated)}, with ${changes} changes, ${isUnchanged ? 'nothing' : 'something'} left`,
      );
  }
  return members.length;
}

/** Kills checks of a member with each of their requests; throws if the next command leaves something. */
async function soakKilledChecks({ name, choices }: Member): Promise<number> {
  let requests = 1;
  for (; requests < mostKills; requests++)
    for (const hasArrived of [true, false]) {
      const { isUnchanged, isKilled } = await killAndClean(choices, { requests, hasArrived });
      if (!isUnchanged) throw new Error(`${name}: something is left after a kill at request ${requests}`);
      if (!isKilled) return requests;
    }
  return requests;
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
  sums.learned = await soakContractCheck([...namedMembers, ...members], false);
  sums.learnedByWrites = await soakContractCheck([...namedMembers, ...members], true);
  for (const member of members.slice(0, 2)) sums.kills = (sums.kills ?? 0) + (await soakKilledChecks(member));
  return sums;
}
