import { assumed, dataAxes } from './members/axes.ts';
import type { Member } from './members/members.ts';
import type { StoredResource } from './server/organization.ts';
import { expectedVerdicts } from './uses/expected-verdicts.ts';
import { type Judgment, judge, type Use } from './uses/judge.ts';
import { Stage, type StageOptions } from './uses/stage.ts';

/** The verdict on one use of one server. */
export interface Cell extends Judgment {
  readonly member: Member;
  readonly use: Use;
  readonly resource: StoredResource;
}

/** Selects the resources for a use of a member. `number` differs between neighbors. */
export type Select = (use: Use, member: Member, number: number) => readonly StoredResource[];

const allResources: Select = ({ resources }) => resources;

/** Selects one resource per use, with another one for the next use or member. */
export const oneResource: Select = ({ resources }, _, number) =>
  resources.filter((_resource, index) => index === number % resources.length);

/** Selects one resource per use, or three if the member differs in what it says of the data. */
export const someResources: Select = ({ resources }, { choices }, number) => {
  const isOfData = dataAxes.some((axis) => choices[axis] !== assumed[axis]);
  const distance = Math.ceil(resources.length / (isOfData ? 3 : 1));
  return resources.filter((_, index) => (index + number) % distance === 0);
};

/** Judges uses against members, each on a server that is as new. */
export async function runMatrix(
  members: readonly Member[],
  uses: readonly Use[],
  options: StageOptions,
  select: Select = allResources,
): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const [at, member] of members.entries())
    for (const [number, use] of uses.entries())
      for (const resource of select(use, member, at + number))
        cells.push({ member, use, resource, ...(await judge(use, new Stage(member, options), resource)) });
  return cells;
}

/** What is wrong about cells, each as one line that names the server, the use and the resource. */
export const listProblems = (cells: readonly Cell[], isDescribed: boolean): string[] =>
  cells
    .filter(
      ({ member, use, resource, verdict }) =>
        !expectedVerdicts(member.choices, use, resource, isDescribed).includes(verdict),
    )
    .map(
      ({ member, use, resource, verdict, why = '' }) =>
        `${member.name}, ${resource} ${use.name}: ${verdict} ${why}`,
    );
