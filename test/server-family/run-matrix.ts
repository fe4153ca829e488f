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

/** Selects some of the resources of a use, with others for the next use or member. */
export const someResources =
  (count: number) =>
  (use: Use, number: number): readonly StoredResource[] =>
    use.resources.filter((_, index) => (index + number) % Math.ceil(use.resources.length / count) === 0);

/** Judges uses against members, each on a server that is as new. */
export async function runMatrix(
  members: readonly Member[],
  uses: readonly Use[],
  options: StageOptions,
  select: (use: Use, number: number) => readonly StoredResource[] = ({ resources }) => resources,
): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const [at, member] of members.entries())
    for (const [number, use] of uses.entries())
      for (const resource of select(use, at + number))
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
