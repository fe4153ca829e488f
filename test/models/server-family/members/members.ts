import type { ServerDescription } from '@orgchat/mock-server';
import { combineSeeds, Random } from '../../../test-support/random.ts';
import { type Axis, assumed, axes, axisNames, type Choices, isReadable } from './axes.ts';

/** A server of the family. */
export interface Member {
  readonly name: string;
  readonly choices: Choices;
  /** What a check wrote of the member, if a mock is in its place. */
  readonly learned?: ServerDescription;
}

const member = (name: string, choices: Partial<Choices>): Member => ({
  name,
  choices: { ...assumed, ...choices },
});

/** Servers as frameworks and other APIs would write them. */
const composed: readonly Member[] = [
  member('JSON:API', {
    list: 'data.rows',
    one: 'item',
    nesting: 'attributes',
    times: 'created_at',
    total: 'absent',
    limited: 'absent',
  }),
  member('snake case with summaries', {
    one: 'root',
    rows: 'summary',
    rowGuards: 'absent',
    times: 'created_at',
    guards: 'version',
    result: 'id',
  }),
  member('sparse', {
    nulls: 'absent for null',
    times: 'absent',
    total: 'absent',
    limited: 'absent',
    result: 'absent',
  }),
  member('verbose', {
    nulls: 'null for absent',
    extras: 'id and createdAt',
    defaults: 'filled in',
    ids: 'upper case',
    guards: 'meta.version',
  }),
];

/** What is assumed, each other value of each axis by itself, and some compositions. */
export const namedMembers: readonly Member[] = [
  member('as assumed', {}),
  ...axisNames.flatMap((axis) =>
    axes[axis].slice(1).map((value) => member(`${axis}: ${value}`, { [axis]: value })),
  ),
  ...composed,
];

type Pair = readonly [a: Axis, i: number, b: Axis, j: number];
const keyOf = ([a, i, b, j]: Pair): string => `${a} ${i} ${b} ${j}`;

function listPairs(): Pair[] {
  return axisNames.flatMap((a, at) =>
    axisNames
      .slice(at + 1)
      .flatMap((b) => axes[a].flatMap((_, i) => axes[b].map((_value, j): Pair => [a, i, b, j]))),
  );
}

const indexOf = (choices: Choices, axis: Axis): number =>
  (axes[axis] as readonly string[]).indexOf(choices[axis]);
const hasPair = (choices: Choices, [a, i, b, j]: Pair): boolean =>
  indexOf(choices, a) === i && indexOf(choices, b) === j;

function draw(random: Random, fixed: Partial<Choices> = {}): Choices {
  for (;;) {
    const drawn = Object.fromEntries(axisNames.map((axis) => [axis, random.pick<string>(axes[axis])]));
    const choices = { ...drawn, ...fixed } as Choices;
    if (isReadable(choices)) return choices;
  }
}

/** Members in which each two values of two axes occur together: of some candidates, the one with the most new pairs. */
export function pairwiseMembers(): readonly Member[] {
  const random = new Random(1);
  const open = new Map(listPairs().map((pair) => [keyOf(pair), pair]));
  const members: Member[] = [];
  // A pair that is covered leaves the map, and is not visited.
  for (const [a, i, b, j] of open.values()) {
    const fixed = { [a]: axes[a][i], [b]: axes[b][j] } as Partial<Choices>;
    let best: readonly Pair[] = [];
    let choices = draw(random, fixed);
    for (let candidate = 0; candidate < 30; candidate++) {
      const drawn = draw(random, fixed);
      const covered = [...open.values()].filter((pair) => hasPair(drawn, pair));
      if (covered.length > best.length) [best, choices] = [covered, drawn];
    }
    for (const pair of best) open.delete(keyOf(pair));
    members.push({ name: `pairs ${members.length + 1}`, choices });
  }
  return members;
}

/** Members with random choices, the same for the same seed. */
export function randomMembers(seed: number, count: number): readonly Member[] {
  return Array.from({ length: count }, (_, number) => ({
    name: `random ${seed}.${number}`,
    choices: draw(new Random(combineSeeds(seed, number))),
  }));
}
