import type { Context } from '../../context.ts';
import { writeOut } from '../../streams.ts';
import type { Unfinished } from '../apply/unfinished.ts';
import type { Prepared } from '../prepare.ts';
import type { Plan, Step } from './document.ts';
import { type PlanTextOptions, planText } from './print.ts';

/** What a program gets of a step. */
export const changeDocument = ({ key, action, resource, label, id, operationId, origin, fields }: Step) => ({
  /** What refers to what this step makes, has `step:KEY` in place of the id. */
  key,
  action,
  resource,
  label,
  id,
  operationId,
  origin,
  fields,
});

/** What a program gets of a plan. */
export const planDocument = (plan: Plan) => ({
  differences: plan.steps.length > 0,
  changes: plan.steps.map(changeDocument),
  unchanged: plan.unchanged.length,
  others: plan.others,
  warnings: plan.warnings,
});

/** Prints a plan in the format asked for. */
export async function show(
  context: Context,
  { plan, nameOf }: Prepared,
  unfinished?: Unfinished,
  options?: PlanTextOptions,
): Promise<void> {
  if (context.output.format === 'table') await writeOut(planText(plan, nameOf, 'stdout', options));
  else await context.output.one({ ...planDocument(plan), ...(unfinished && { unfinished }) });
}

/** Whether an update will overwrite what nobody can say the history of. */
const isBlind = ({ steps }: Plan): boolean => steps.some(({ origin }) => origin === 'unknown');

/** What someone must know of a plan beside its steps. */
export function warn(context: Context, plan: Plan): void {
  for (const warning of plan.warnings) context.output.warn(warning);
  if (!isBlind(plan)) return;
  const why =
    plan.file === null
      ? 'standard input has no history'
      : 'this file was not exported from, or applied to, this organization on this machine';
  context.output.warn(
    `who made the differences is not known: ${why}. What the organization has otherwise is overwritten`,
  );
}
