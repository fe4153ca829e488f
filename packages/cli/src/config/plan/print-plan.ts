import type { Context } from '../../context.ts';
import { writeOut } from '../../output/streams.ts';
import type { UnfinishedDocument } from '../apply/unfinished-apply.ts';
import type { PlanWithNames } from '../plan-from-file.ts';
import { formatPlan, type PlanTextOptions } from './format-plan.ts';
import type { Plan, Step } from './plan-schema.ts';

/** What a program gets of a step. */
export const toChangeDocument = ({
  key,
  action,
  resource,
  label,
  id,
  operationId,
  origin,
  fields,
}: Step) => ({
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
export const toPlanDocument = (plan: Plan) => ({
  differences: plan.steps.length > 0,
  changes: plan.steps.map(toChangeDocument),
  unchanged: plan.unchanged.length,
  others: plan.others,
  warnings: plan.warnings,
});

/** Prints a plan in the requested format. */
export async function printPlan(
  context: Context,
  { plan, nameOf }: PlanWithNames,
  unfinished?: UnfinishedDocument,
  options?: PlanTextOptions,
): Promise<void> {
  if (context.output.format === 'table') await writeOut(formatPlan(plan, nameOf, 'stdout', options));
  else await context.output.one({ ...toPlanDocument(plan), ...(unfinished && { unfinished }) });
}

/** Whether an update will overwrite what nobody can say the history of. */
const hasUnknownOrigin = ({ steps }: Plan): boolean => steps.some(({ origin }) => origin === 'unknown');

/** What someone must know of a plan beside its steps. */
export function printPlanWarnings(context: Context, plan: Plan): void {
  for (const warning of plan.warnings) context.output.warn(warning);
  if (!hasUnknownOrigin(plan)) return;
  const why =
    plan.file === null
      ? 'standard input has no history'
      : 'this file was never exported or applied on this machine';
  context.output.warn(`unknown who made the differences: ${why}. Values in the organization are overwritten`);
}
