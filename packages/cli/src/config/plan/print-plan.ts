import type { Context } from '../../context.ts';
import { writeOut } from '../../output/streams.ts';
import { formatPlan, type PlanTextOptions, type PlanWithNames } from './format-plan.ts';
import type { Plan, Step } from './plan-schema.ts';

/** A step in the JSON output. */
export const toChangeDocument = ({
  key,
  action,
  resource,
  label,
  id,
  operationId,
  origin,
  fields,
  usedBy,
}: Step) => ({
  /** Other steps refer to the record of this step by `step:KEY`, because its id is not known yet. */
  key,
  action,
  resource,
  label,
  id,
  operationId,
  origin,
  fields,
  ...(usedBy && { usedBy }),
});

/** A plan in the JSON output. */
const toPlanDocument = (plan: Plan) => ({
  differences: plan.steps.length > 0,
  changes: plan.steps.map(toChangeDocument),
  unchanged: plan.unchanged.length,
  unmanaged: plan.unmanaged,
  ...(plan.only && { only: plan.only }),
  warnings: plan.warnings,
});

/** An unfinished apply, as it is printed in JSON. */
export interface UnfinishedDocument {
  readonly since: string;
  readonly steps: number;
  /** Whether the next apply continues with its plan; otherwise it settles what is open and makes a new plan. */
  readonly willResume: boolean;
}

/** Prints a plan in the requested format. */
export async function printPlan(
  context: Context,
  { plan, findName }: PlanWithNames,
  unfinished?: UnfinishedDocument,
  options?: PlanTextOptions,
): Promise<void> {
  if (context.output.isView) await writeOut(formatPlan(plan, findName, 'stdout', options));
  else await context.output.one({ ...toPlanDocument(plan), ...(unfinished && { unfinished }) });
}

/** Whether a difference has no base, so that it may be a change in the organization. */
const hasUnknownOrigin = ({ steps }: Plan): boolean => steps.some(({ origin }) => origin === 'unknown');

/** Prints the warnings of a plan. `advice` is what to do about changes that cannot be told apart. */
export function printPlanWarnings(context: Context, plan: Plan, advice = ''): void {
  for (const warning of plan.warnings) context.output.warn(warning);
  if (!hasUnknownOrigin(plan)) return;
  const why =
    plan.file === null
      ? 'standard input or a pipe is not remembered between runs'
      : 'this file was never exported or applied on this machine';
  context.output.warn(
    `cannot tell changes in the file from changes in the organization: ${why}. Apply overwrites changes made in the app.${advice}`,
  );
}
