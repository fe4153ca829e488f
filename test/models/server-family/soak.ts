import { isDeepStrictEqual } from 'node:util';
import {
  killAndClean,
  learnMember,
  learnTwin,
  limitAt,
  plantedIn,
  shownBy,
  violatedBy,
} from './learn-member.ts';
import { type Member, namedMembers, randomMembers } from './members/members.ts';
import { runAll } from './run-all.ts';
import { listProblems } from './run-matrix.ts';
import { createTwin } from './twin.ts';

/** No check sends more. */
const mostRequests = 400;
/** The rate of a check, unless the user chooses another one. */
const perMinute = 40;

/**
 * Checks that a check learns what the descriptions of members say; throws if it learns something else, changes something
 * by reads, leaves something, writes what it may not, is too fast, or keeps a value of a record.
 */
async function soakMember({ name, choices }: Member, isWriting: boolean): Promise<void> {
  const found = await learnMember(choices, isWriting);
  const twin = await learnTwin(choices, isWriting);
  const expected = { member: shownBy(choices, isWriting), twin: plantedIn(choices, isWriting) };
  const isLearned =
    isDeepStrictEqual(found.learned, expected.member) && isDeepStrictEqual(twin.learned, expected.twin);
  const isJust = isDeepStrictEqual(found.violated, violatedBy(choices)) && twin.violated.length === 0;
  const isLeft = !found.isUnchanged || found.left > 0 || twin.left > 0;
  const isPaced = Math.max(found.mostPerMinute, twin.mostPerMinute) <= perMinute;
  const isPrivate = found.values.length === 0;
  if (isLearned && isJust && !isLeft && isPaced && isPrivate && found.forbidden.length === 0) return;
  const { kept: _, ...seen } = found;
  const { learned, violated, left } = twin;
  throw new Error(JSON.stringify({ name, isWriting, seen, twin: { learned, violated, left }, expected }));
}

/** Kills checks of a member with each of their requests; throws if the next command leaves something. */
async function soakKilledChecks({ name, choices }: Member): Promise<number> {
  for (let requests = 1; requests < mostRequests; requests++)
    for (const hasArrived of [true, false]) {
      const { isUnchanged, isKilled } = await killAndClean(choices, { requests, hasArrived });
      if (!isUnchanged) throw new Error(`${name}: something is left after a kill at request ${requests}`);
      if (!isKilled) return requests;
    }
  throw new Error(`${name}: a check has more than ${mostRequests} requests`);
}

/** Answers 429 at each request of checks of a member; throws if that changes what is learned, or leaves something. */
async function soakLimitedChecks({ name, choices }: Member, isWriting: boolean): Promise<number> {
  const { learned: expected } = await limitAt(choices, undefined, isWriting);
  for (let position = 0; position < mostRequests; position++) {
    const { isReached, learned, isUnchanged } = await limitAt(choices, position, isWriting);
    if (!isUnchanged || !isDeepStrictEqual(learned, expected))
      throw new Error(`${name}: with a 429 at request ${position}, learned ${JSON.stringify(learned)}`);
    if (!isReached) return position;
  }
  throw new Error(`${name}: a check has more than ${mostRequests} requests`);
}

/** All of the named members take longer than a round; twenty rounds have each of them. */
const namedOf = (seed: number): readonly Member[] =>
  namedMembers.filter((_, number) => number % rounds === seed % rounds);

/** Checks random members, one of them with a kill and a 429 at each request. */
export async function soakContractCheck(seed: number, count: number): Promise<Record<string, number>> {
  const members = randomMembers(seed, count);
  const all = [...namedOf(seed), ...members];
  for (const member of all) for (const isWriting of [false, true]) await soakMember(member, isWriting);
  const [first] = members;
  if (first === undefined) return { checked: all.length };
  const kills = await soakKilledChecks(first);
  const limits = (await soakLimitedChecks(first, false)) + (await soakLimitedChecks(first, true));
  return { 'members checked': all.length, 'requests killed': kills, 'requests limited': limits };
}

/** Rounds of a soak. */
const rounds = 20;

/** Judges every use of servers without and with their descriptions; throws if a verdict is not the expected one. */
async function soakUses(members: readonly Member[], what: string): Promise<Record<string, number>> {
  const sums: Record<string, number> = { [what]: members.length };
  for (const isDescribed of [false, true]) {
    const cells = await runAll(members, isDescribed, { isSdkOverHttp: true });
    const problems = listProblems(cells, isDescribed);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    for (const { verdict } of cells) {
      const name = `${what}: ${verdict} ${isDescribed ? 'with' : 'without'} a description`;
      sums[name] = (sums[name] ?? 0) + 1;
    }
  }
  return sums;
}

/** Judges every use of random members and of twins, and checks the members. */
export async function soakServerFamily(seed: number, count: number): Promise<Record<string, number>> {
  const members = randomMembers(seed, count);
  const twins = await Promise.all([...namedOf(seed), ...members.slice(0, 2)].map(createTwin));
  const uses = { ...(await soakUses(members, 'servers')), ...(await soakUses(twins, 'twins')) };
  return { ...uses, ...(await soakContractCheck(seed, count)) };
}
