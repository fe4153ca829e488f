import type { Context } from '../../context.ts';
import type { Earlier } from './kept.ts';

/** An apply that was not finished, as a program is told of it. */
export interface Unfinished {
  readonly since: string;
  readonly steps: number;
  /** Whether the next apply continues with its plan; otherwise it settles what is open and makes a new plan. */
  readonly goesOn: boolean;
}

export const unfinishedOf = ({ plan, goesOn }: Earlier): Unfinished => ({
  since: plan.createdAt,
  steps: plan.steps.length,
  goesOn,
});

/** Says that there is one, and what will become of it. */
export function noteUnfinished(context: Context, earlier: Earlier): void {
  const { since, steps, goesOn } = unfinishedOf(earlier);
  const next = goesOn
    ? 'apply continues with that plan; orgchat config apply FILE --replan drops it and makes a new plan'
    : 'apply first finds out what became of the steps it had sent, then makes a new plan';
  context.output.note(`An apply of this file, begun ${since}, is unfinished (${steps} steps): ${next}.`);
}
