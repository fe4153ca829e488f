import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { writeOut } from '../../streams.ts';
import type { Plan, Step } from '../plan/document.ts';
import { changeDocument } from '../plan/show.ts';
import { decidingFailure, type Ending } from './outcome.ts';
import type { Applied } from './run.ts';

/** What an apply came to, for a program. Each change was made by this run, or by an earlier one under the same id. */
export function resultDocument({ unchanged, others }: Plan, { done, failed, left }: Applied) {
  return {
    applied: done.filter(({ made }) => !made.replayed).length,
    replayed: done.filter(({ made }) => made.replayed).length,
    unchanged: unchanged.length,
    steps: done.map(({ step, made: { id, operationId, replayed } }) => ({
      ...changeDocument(step),
      operationId,
      id,
      replayed,
    })),
    failed: failed.map(({ step, failure }) => ({
      ...changeDocument(step),
      operationId: failure.operationId ?? step.operationId,
      ...failure.toDocument(),
    })),
    notBegun: left.map(changeDocument),
    others,
  };
}

const counted = (count: number, what: string): string => (count === 0 ? '' : `, ${count} ${what}`);

/** Prints what an apply came to, or throws what stopped it together with that. */
export async function report(context: Context, plan: Plan, result: Applied, ending: Ending): Promise<void> {
  const menus = plan.others.filter(({ resource }) => resource === 'rich-menus');
  if (menus.length > 0)
    context.output.note(
      `The API cannot delete rich menus; these stay: ${menus.map(({ label }) => label).join(', ')}.`,
    );
  const document = resultDocument(plan, result);
  const deciding = decidingFailure(result);
  if (deciding !== undefined) throw applyFailure(document, plan, deciding, ending);
  context.exitCode = ending.exit;
  if (document.notBegun.length > 0)
    context.output.note(
      ending.plan === 'goesOn'
        ? 'Run the same command again: it goes on with this plan, each step under its operation id.'
        : 'Nothing was begun; run the same command again.',
    );
  if (context.output.format !== 'table') return context.output.one(document);
  await writeOut(`${sentenceOf(document)}\n`);
}

/** `2 of 3 steps applied, 1 not begun; 16 records were as they should be.` */
function sentenceOf({
  applied,
  replayed,
  steps,
  notBegun,
  unchanged,
}: ReturnType<typeof resultDocument>): string {
  const all = steps.length + notBegun.length;
  const rest = `${counted(replayed, 'replayed (applied before, and not again)')}${counted(notBegun.length, 'not begun')}`;
  const done = all === 0 ? 'Nothing to do' : `${applied} of ${all} steps applied${rest}`;
  return `${done}; ${unchanged} records were as they should be.`;
}

type Deciding = { readonly step: Step; readonly failure: Failure };

/** What to do next, which depends on what became of the plan. */
function hintOf({ file }: Plan, { failure }: Deciding, { exit, plan }: Ending, ids: string): string {
  const name = file ?? 'FILE';
  if (plan === 'goesOn')
    return exit === exitCodes.unknown
      ? `Run the same command again: every step keeps its operation id (${ids}).`
      : failure.hint;
  if (plan === 'open')
    return `Run the same command again: it settles what is open (${ids}), and makes a new plan.`;
  if (failure.code === 'CREATED_BEFORE')
    return `To create it again, apply the file itself: orgchat config apply ${name}`;
  return exit === exitCodes.conflict
    ? `It is no longer what the plan was made for; see how it is now, and plan again: orgchat config diff ${name}`
    : failure.hint;
}

/** What stopped it, with what was done before. */
function applyFailure(
  document: ReturnType<typeof resultDocument>,
  plan: Plan,
  deciding: Deciding,
  ending: Ending,
): Failure {
  const { applied, replayed, failed, notBegun } = document;
  const { step, failure } = deciding;
  const counts = `${applied} applied${counted(replayed, 'replayed')}, ${failed.length} failed, ${notBegun.length} not begun`;
  const ids = failed.map(({ operationId }) => operationId).join(', ');
  return new Failure(`${step.resource} "${step.label}": ${failure.message} (${counts})`, {
    code: failure.code,
    exit: ending.exit,
    hint: hintOf(plan, deciding, ending, ids),
    operationId: failure.operationId,
    extra: { result: document },
    cause: failure,
  });
}
