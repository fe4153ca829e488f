import type { ConfigurationResource } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { canAsk, confirm, requireYes } from '../../input/prompt.ts';
import { writeError } from '../../output/streams.ts';
import { formatCount } from '../../resources/resource-names.ts';
import { creationOrder } from '../creation-order.ts';
import type { FindName } from '../plan/format-change.ts';
import { formatFieldChange, formatPlan, originTexts, type PlanTextOptions } from '../plan/format-plan.ts';
import type { Origin } from '../plan/origin.ts';
import type { Plan, Step } from '../plan/plan-schema.ts';
import { toChangeDocument } from '../plan/print-plan.ts';
import type { PlanWithNames } from '../read-and-plan.ts';

export interface ConfirmOptions extends PlanTextOptions {
  /** Whether to overwrite values that both sides changed. */
  readonly forceConflicts: boolean;
  /** Whether to ask on a terminal even if a script would need no confirmation. */
  readonly askAlways: boolean;
}

const hasOrigin =
  (origin: Origin) =>
  (step: Step): boolean =>
    step.origin === origin || step.fields.some((field) => field.origin === origin);

/** `2 tags, 1 link` */
function countByResource(steps: readonly Step[]): string {
  const count = (resource: ConfigurationResource): number =>
    steps.filter((step) => step.resource === resource).length;
  return creationOrder
    .filter((resource) => count(resource) > 0)
    .map((resource) => formatCount(count(resource), resource))
    .join(', ');
}

function conflictError(conflicts: readonly Step[], findName: FindName): CliError {
  const lines = conflicts.flatMap((step) => {
    const fields = step.action === 'update' ? step.fields.filter(({ origin }) => origin === 'both') : [];
    const what =
      fields.length === 0
        ? [originTexts[step.action].both]
        : fields.map((one) => formatFieldChange(one, findName));
    return what.map((text) => `${singularNames[step.resource]} "${step.label}": ${text}`);
  });
  return new CliError(
    'Nothing was applied. These were changed both in the file and in the organization since the last sync:',
    {
      code: 'CONFLICT',
      exit: exitCodes.conflict,
      hint: 'To keep the state of the organization, write it into the file. To overwrite it, pass --force-conflicts.',
      listed: lines,
      extra: { conflicts: conflicts.map(toChangeDocument) },
    },
  );
}

/** What requires confirmation: deletions, and reverting changes made in the organization. */
function needsConfirmation(plan: Plan, forced: boolean): string[] {
  const deletions = plan.steps.filter(({ action }) => action === 'delete');
  const foreign = deletions.filter(({ origin }) => origin === 'drift').length;
  const outside = foreign === 0 ? '' : ` (${foreign} created outside the file)`;
  const kept = plan.steps.filter(({ action }) => action !== 'delete');
  const drifted = kept.filter(hasOrigin('drift'));
  const overwritten = forced ? kept.filter(hasOrigin('both')) : [];
  return [
    ...(deletions.length === 0 ? [] : [`delete ${countByResource(deletions)}${outside}`]),
    ...(drifted.length === 0
      ? []
      : [`revert changes made in the organization to ${countByResource(drifted)}`]),
    ...(overwritten.length === 0 ? [] : [`overwrite conflicting changes in ${countByResource(overwritten)}`]),
  ];
}

/** Warns about reverted changes: someone made them on purpose. */
function warnOfDrift(context: Context, plan: Plan): void {
  for (const { action, resource, label, fields } of plan.steps.filter(hasOrigin('drift'))) {
    if (action === 'delete') continue;
    const paths = fields.filter(({ origin }) => origin === 'drift').map(({ path }) => path);
    const what =
      action === 'update' ? `${paths.join(', ')} ${originTexts.update.drift}` : originTexts.create.drift;
    context.output.warn(`${singularNames[resource]} "${label}": ${what}`);
  }
}

/**
 * Confirms a plan or ends the command. Exit code 5: conflicting changes without --force-conflicts. 3: confirmation
 * required without a terminal. 8: declined. Returns whether a question was asked.
 */
export async function confirmPlan(
  context: Context,
  prepared: PlanWithNames,
  approval: ConfirmOptions,
): Promise<boolean> {
  const { plan, findName } = prepared;
  const { yes } = context.options;
  if (plan.steps.length === 0) return false;
  // The plan is also useful in a log.
  const showPlan = (): void => {
    if (canAsk() || !context.output.quiet) writeError(formatPlan(plan, findName, 'stderr', approval));
  };
  const conflicts = plan.steps.filter(hasOrigin('both'));
  if (conflicts.length > 0 && !approval.forceConflicts) {
    showPlan();
    throw conflictError(conflicts, findName);
  }
  if (yes) warnOfDrift(context, plan);
  const needs = needsConfirmation(plan, approval.forceConflicts);
  // --force-conflicts is the confirmation for conflicts.
  const isRequired = needsConfirmation(plan, false).length > 0;
  if (yes || (!isRequired && !(approval.askAlways && canAsk()))) return false;
  const effects = needs.length === 0 ? '' : ` This will ${needs.join(', and ')}.`;
  const question = `Apply this plan?${effects}`;
  showPlan();
  requireYes(question, yes, { changes: plan.steps.map(toChangeDocument) });
  await confirm(question, yes);
  return true;
}
