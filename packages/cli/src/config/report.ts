import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { writeOut } from '../streams.ts';
import { type Applied, exitOf } from './apply.ts';
import type { Plan } from './plan.ts';

/** Prints what an apply came to, or throws what stopped it together with that. */
export async function reportApplied(context: Context, plan: Plan, result: Applied): Promise<void> {
  const { done, failed, left } = result;
  const menus = plan.others.filter(({ resource }) => resource === 'rich-menus');
  if (menus.length > 0)
    context.output.note(
      `The API cannot delete rich menus; these stay: ${menus.map(({ label }) => label).join(', ')}.`,
    );
  const document = {
    applied: done.length,
    replayed: done.filter(({ made }) => made.replayed).length,
    unchanged: plan.unchanged,
    steps: done.map(({ step: { action: kind, resource, label, operationId }, made }) => ({
      action: kind,
      resource,
      label,
      id: made.id,
      operationId,
      replayed: made.replayed,
    })),
    failed: failed.map(({ step: { action: kind, resource, label, operationId }, failure }) => ({
      action: kind,
      resource,
      label,
      operationId,
      ...failure.toDocument(),
    })),
    notBegun: left.map(({ action: kind, resource, label }) => ({ action: kind, resource, label })),
  };
  context.exitCode = exitOf(result);
  const [first] = failed;
  if (first !== undefined) throw applyFailure(document, result, first.failure, exitOf(result));
  if (context.output.format !== 'table') return context.output.one(document);
  await writeOut(
    `Applied ${done.length} of ${plan.steps.length} steps; ${plan.unchanged} records were as they should be.\n`,
  );
}

/** What stopped it, with what was done before. */
function applyFailure(
  document: {
    applied: number;
    failed: readonly { operationId: string; label: string; resource: string }[];
  } & Record<string, unknown>,
  { done, left, failed }: Applied,
  failure: Failure,
  exit: number,
): Failure {
  const ids = failed.map(({ step }) => step.operationId).join(', ');
  const [first] = document.failed;
  return new Failure(
    `${first?.resource ?? ''} "${first?.label ?? ''}": ${failure.message} (${done.length} steps done, ${failed.length} failed, ${left.length} not begun)`,
    {
      code: failure.code,
      exit: exit as Failure['exit'],
      hint:
        exit === exitCodes.conflict
          ? 'Someone changed it since the plan was made; see how, and plan again: orgchat config diff FILE'
          : exit === exitCodes.unknown
            ? `Run the same command again: every step keeps its operation id (${ids}).`
            : failure.hint,
      operationId: failure.operationId,
      extra: { result: document },
      cause: failure,
    },
  );
}
