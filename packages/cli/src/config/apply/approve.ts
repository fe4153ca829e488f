import type { ConfigurationResource } from '@orgchat/spec';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { canAsk, confirm, requireYes } from '../../prompt.ts';
import { writeError } from '../../streams.ts';
import { creationOrder } from '../order.ts';
import type { Origin } from '../plan/compare.ts';
import type { Plan, Step } from '../plan/document.ts';
import { fieldText, type PlanTextOptions, planText, reasons } from '../plan/print.ts';
import type { NameOf } from '../plan/print-change.ts';
import { changeDocument } from '../plan/show.ts';
import type { Prepared } from '../prepare.ts';

export interface Approval extends PlanTextOptions {
  /** Overwrites what both sides changed. */
  readonly forceConflicts: boolean;
  /** Asks on a terminal also for what needs no yes elsewhere. */
  readonly askAlways: boolean;
}

const ofOrigin =
  (origin: Origin) =>
  (step: Step): boolean =>
    step.origin === origin || step.fields.some((field) => field.origin === origin);

/** `2 of tags, 1 of links` */
function counted(steps: readonly Step[]): string {
  const count = (resource: ConfigurationResource): number =>
    steps.filter((step) => step.resource === resource).length;
  return creationOrder
    .filter((resource) => count(resource) > 0)
    .map((resource) => `${count(resource)} of ${resource}`)
    .join(', ');
}

function conflictFailure(conflicts: readonly Step[], nameOf: NameOf): Failure {
  const lines = conflicts.flatMap((step) => {
    const fields = step.action === 'update' ? step.fields.filter(({ origin }) => origin === 'both') : [];
    const what =
      fields.length === 0 ? [reasons[step.action].both] : fields.map((one) => fieldText(one, nameOf));
    return what.map((text) => `${step.resource} "${step.label}" ${text}`);
  });
  return new Failure(
    `The file and the organization were both changed since they were last the same; nothing was applied:`,
    {
      code: 'CONFLICT',
      exit: exitCodes.conflict,
      hint: 'Write into the file what is to be, or overwrite the organization: --force-conflicts',
      listed: lines,
      extra: { conflicts: conflicts.map(changeDocument) },
    },
  );
}

/** What a person has to say yes to: deletions, and undoing what somebody did in the organization. */
function grave(plan: Plan, forced: boolean): string[] {
  const deletions = plan.steps.filter(({ action }) => action === 'delete');
  const foreign = deletions.filter(({ origin }) => origin === 'drift').length;
  const byOthers = foreign === 0 ? '' : `, ${foreign} of them created by someone else`;
  const kept = plan.steps.filter(({ action }) => action !== 'delete');
  const drifted = kept.filter(ofOrigin('drift'));
  const overwritten = forced ? kept.filter(ofOrigin('both')) : [];
  return [
    ...(deletions.length === 0 ? [] : [`delete ${counted(deletions)}${byOthers}`]),
    ...(drifted.length === 0 ? [] : [`put back what was changed in the organization in ${counted(drifted)}`]),
    ...(overwritten.length === 0 ? [] : [`overwrite what both sides changed in ${counted(overwritten)}`]),
  ];
}

/** Somebody made these changes on purpose; that they are undone is not to go by unseen. */
function warnOfDrift(context: Context, plan: Plan): void {
  for (const { action, resource, label, fields } of plan.steps.filter(ofOrigin('drift'))) {
    if (action === 'delete') continue;
    const paths = fields.filter(({ origin }) => origin === 'drift').map(({ path }) => path);
    const what = action === 'update' ? `${paths.join(', ')} ${reasons.update.drift}` : reasons.create.drift;
    context.output.warn(`${resource} "${label}": ${what}`);
  }
}

/**
 * Lets a plan pass, or ends the command: with 5 where both sides changed the same and nobody said which is to be,
 * with 3 where a yes is needed and nobody can be asked, with 8 after a no. Returns whether somebody was asked.
 */
export async function approve(context: Context, prepared: Prepared, approval: Approval): Promise<boolean> {
  const { plan, nameOf } = prepared;
  const { yes } = context.options;
  if (plan.steps.length === 0) return false;
  // Who reads a log later wants to know what it was about, too.
  const showPlan = (): void => {
    if (canAsk() || !context.output.quiet) writeError(planText(plan, nameOf, 'stderr', approval));
  };
  const conflicts = plan.steps.filter(ofOrigin('both'));
  if (conflicts.length > 0 && !approval.forceConflicts) {
    showPlan();
    throw conflictFailure(conflicts, nameOf);
  }
  if (yes) warnOfDrift(context, plan);
  const needs = grave(plan, approval.forceConflicts);
  // What both sides changed was allowed by name.
  const isGrave = grave(plan, false).length > 0;
  if (yes || (!isGrave && !(approval.askAlways && canAsk()))) return false;
  const question = `Apply this${needs.map((need) => `, and ${need}`).join('')}?`;
  showPlan();
  requireYes(question, yes, { changes: plan.steps.map(changeDocument) });
  await confirm(question, yes);
  return true;
}
