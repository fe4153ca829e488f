import type { ConfigurationResource } from '@orgchat/spec';
import { toShellWord } from '../../args/shell-word.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../input/prompt.ts';
import { writeError } from '../../output/streams.ts';
import { formatCount } from '../../resources/resource-names.ts';
import { creationOrder } from '../file/references.ts';
import type { Origin } from '../plan/compare-data.ts';
import type { FindName } from '../plan/format-change.ts';
import {
  formatChangeSummary,
  formatPlan,
  type PlanTextOptions,
  type PlanWithNames,
} from '../plan/format-plan.ts';
import type { Plan, Step } from '../plan/plan-schema.ts';
import { toChangeDocument } from '../plan/print-plan.ts';

export interface ConfirmOptions extends PlanTextOptions {
  /** Whether to overwrite values that both sides changed. */
  readonly forceConflicts: boolean;
  /** Whether the plan was saved, so that it could be reviewed: then it needs no other confirmation. */
  readonly isReviewed?: boolean;
  /** The question. Default: whether to apply the plan. */
  readonly question?: string;
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

function conflictError({ file }: Plan, conflicts: readonly Step[], findName: FindName): CliError {
  const lines = conflicts.flatMap((step) =>
    formatChangeSummary({ ...step, origin: 'both' }, ['both'], findName),
  );
  return new CliError(
    'Nothing was applied. These were changed both in the file and in the organization since the last sync:',
    {
      code: 'CONFLICT',
      exit: exitCodes.conflict,
      hint: `To keep the state of the organization: orgchat config export -o ${toShellWord(file ?? 'FILE')} --force. To overwrite it, pass --force-conflicts.`,
      listed: lines,
      extra: { conflicts: conflicts.map(toChangeDocument) },
    },
  );
}

/** What a plan does, for the question: the plan itself may be in a file or a pager. */
function listEffects({ steps }: Plan): string[] {
  const [created, updated, deleted] = (['create', 'update', 'delete'] as const).map((action) =>
    steps.filter((step) => step.action === action && (action === 'delete' || !isForeign(step))),
  );
  const kept = steps.filter(({ action }) => action !== 'delete');
  const outside = deleted?.filter(hasOrigin('drift')).length ?? 0;
  const used = deleted?.filter(({ usedBy }) => usedBy !== undefined).length ?? 0;
  const notes = [
    ...(outside === 0 ? [] : [`${outside} created outside the file`]),
    ...(used === 0 ? [] : [`${used} still used by other records`]),
    ...(deleted?.some(({ resource }) => resource === 'tags') ? ['friends with the tags not looked at'] : []),
  ];
  const effects: [text: string, steps: readonly Step[] | undefined, note?: string][] = [
    ['create', created],
    ['update', updated],
    ['delete', deleted, notes.length === 0 ? '' : ` (${notes.join(', ')})`],
    ['revert changes made in the organization to', kept.filter(hasOrigin('drift'))],
    ['overwrite conflicting changes in', kept.filter(hasOrigin('both'))],
  ];
  return effects.flatMap(([text, some = [], note = '']) =>
    some.length === 0 ? [] : [`${text} ${countByResource(some)}${note}`],
  );
}

/** Whether a step overwrites what others did in the organization. */
const isForeign = (step: Step): boolean => hasOrigin('drift')(step) || hasOrigin('both')(step);

/**
 * Shows a plan on stderr and confirms it, or ends the command. Exit code 5: conflicting changes without
 * --force-conflicts. 3: neither --yes nor a terminal. 8: declined. Returns whether a question was asked.
 */
export async function confirmPlan(
  context: Context,
  { plan, findName }: PlanWithNames,
  { forceConflicts, isReviewed = false, question = 'Apply this plan?', ...text }: ConfirmOptions,
): Promise<boolean> {
  const { yes } = context.options;
  // Also with --quiet: what was changed belongs into every log.
  writeError(formatPlan(plan, findName, 'stderr', text));
  const conflicts = plan.steps.filter(hasOrigin('both'));
  if (conflicts.length > 0 && !forceConflicts) throw conflictError(plan, conflicts, findName);
  if (yes || isReviewed || plan.steps.length === 0) return false;
  const effects = listEffects(plan).join(', and ');
  await confirm(`${question} This will ${effects}.`, yes, { changes: plan.steps.map(toChangeDocument) });
  return true;
}
