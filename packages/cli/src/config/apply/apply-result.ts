import { singularNames } from '@orgchat/spec/resources/names';
import { toShellWord } from '../../args/shell-word.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { writeOut } from '../../output/streams.ts';
import type { Plan, Step } from '../plan/plan-schema.ts';
import { toChangeDocument } from '../plan/print-plan.ts';
import type { StepResults } from './send-step.ts';

/**
 * The kind of a failed step. `unknown`: it may have been applied. `refused`: rejected for good, because the plan is
 * outdated. `in-progress`: another process is sending it. `retryable`: not applied, and it can be tried again (a
 * limit, the network, the key).
 */
type StepFailure = 'unknown' | 'refused' | 'in-progress' | 'retryable';

const refusals: readonly ExitCode[] = [exitCodes.conflict, exitCodes.notFound, exitCodes.usage];

export function classifyFailure({ exit, code, meaning, extra }: CliError): StepFailure {
  if (exit === exitCodes.unknown) return 'unknown';
  // With a status it is a code of the server, which may mean anything.
  if (code === 'OPERATION_IN_FLIGHT' && extra.status === undefined) return 'in-progress';
  return refusals.includes(exit) && meaning !== 'runtimeUnavailable' ? 'refused' : 'retryable';
}

/** The failure that decides the exit code: the one that leaves most open. */
function findDecidingFailure({ failed }: StepResults): StepResults['failed'][number] | undefined {
  const of = (wanted: StepFailure) => failed.find(({ failure }) => classifyFailure(failure) === wanted);
  return of('unknown') ?? of('refused') ?? of('in-progress') ?? of('retryable');
}

/** How an apply ended. */
export interface ApplyResult {
  readonly exit: ExitCode;
  /**
   * What remains of the plan. `finished`: nothing, it was applied or rejected for good. `unsettled`: it cannot continue,
   * and some steps have an unknown outcome. `resumable`: the next run continues with it.
   */
  readonly plan: 'finished' | 'unsettled' | 'resumable';
}

/** `isResumed` if an earlier run began the plan: then it is kept even if this run began no step. */
export function getApplyResult(result: StepResults, isResumed = false): ApplyResult {
  const { done, failed, notStarted } = result;
  const kinds = failed.map(({ failure }) => classifyFailure(failure));
  const [isUnknown, isRefused] = [kinds.includes('unknown'), kinds.includes('refused')];
  const failure = findDecidingFailure(result)?.failure;
  // The server answers such a step in the same way each time.
  const isKnown = failed.some(({ failure: { extra } }) => extra.reason === 'intent-known');
  if (isUnknown) return { exit: exitCodes.unknown, plan: isRefused || isKnown ? 'unsettled' : 'resumable' };
  if (failure !== undefined && isRefused) {
    // A deleted record means an outdated plan, like a changed one.
    const exit = failure.exit === exitCodes.notFound ? exitCodes.conflict : failure.exit;
    return { exit, plan: 'finished' };
  }
  // The other process may not finish its step, so the plan is still needed.
  if (kinds.includes('in-progress')) return { exit: exitCodes.conflict, plan: 'resumable' };
  const isBegun = done.length > 0;
  if (failure === undefined && notStarted.length === 0) return { exit: exitCodes.done, plan: 'finished' };
  const exit = isBegun || failure === undefined ? exitCodes.unknown : failure.exit;
  return { exit, plan: isBegun || isResumed ? 'resumable' : 'finished' };
}

/** The result of an apply in the JSON output. A replayed step was applied by an earlier run, under the same id. */
export function toResultDocument({ unchanged, unmanaged }: Plan, { done, failed, notStarted }: StepResults) {
  return {
    applied: done.filter(({ made }) => !made.replayed).length,
    replayed: done.filter(({ made }) => made.replayed).length,
    unchanged: unchanged.length,
    steps: done.map(({ step, made: { id, operationId, replayed } }) => ({
      ...toChangeDocument(step),
      operationId,
      id,
      replayed,
    })),
    failed: failed.map(({ step, failure }) => ({
      ...toChangeDocument(step),
      operationId: failure.operationId ?? step.operationId,
      ...failure.toDocument(),
    })),
    notStarted: notStarted.map(toChangeDocument),
    unmanaged,
  };
}

const formatCount = (count: number, what: string): string => (count === 0 ? '' : `, ${count} ${what}`);

/** Prints the result of an apply. If a step failed, throws an error that contains the result. */
export async function reportApply(
  context: Context,
  plan: Plan,
  result: StepResults,
  outcome: ApplyResult,
): Promise<void> {
  const menus = plan.unmanaged.filter(({ resource }) => resource === 'rich-menus');
  if (menus.length > 0)
    context.output.note(
      `The API cannot delete rich menus. These stay: ${menus.map(({ label }) => label).join(', ')}.`,
    );
  const document = toResultDocument(plan, result);
  const deciding = findDecidingFailure(result);
  if (deciding !== undefined) throw applyError(document, plan, deciding, outcome);
  context.exitCode = outcome.exit;
  if (document.notStarted.length > 0)
    context.output.note(
      outcome.plan === 'resumable'
        ? 'Run the same command again to continue with this plan; no step is applied twice.'
        : 'No step was started. Run the same command again.',
    );
  if (!context.output.isView) return context.output.one(document);
  await writeOut(`${summarizeResult(document)}\n`);
}

/** `2 of 3 steps applied, 1 not started; 16 unchanged.` */
function summarizeResult({
  applied,
  replayed,
  steps,
  notStarted,
  unchanged,
}: ReturnType<typeof toResultDocument>): string {
  const all = steps.length + notStarted.length;
  const rest = `${formatCount(replayed, 'already applied')}${formatCount(notStarted.length, 'not started')}`;
  const done = all === 0 ? 'Nothing to do' : `${applied} of ${all} steps applied${rest}`;
  return `${done}; ${unchanged} unchanged.`;
}

type Deciding = { readonly step: Step; readonly failure: CliError };

/** What to do next, depending on the outcome of the plan. */
function getApplyHint(
  { file }: Plan,
  { failure }: Deciding,
  { exit, plan }: ApplyResult,
  ids: string,
): string {
  const name = toShellWord(file ?? 'FILE');
  if (plan === 'resumable')
    return exit === exitCodes.unknown
      ? `Run the same command again to continue; no step is applied twice (${ids}).`
      : failure.hint;
  if (plan === 'unsettled') return `Run the same command again to settle ${ids} and make a new plan.`;
  if (failure.code === 'CREATED_BEFORE')
    return `To create it again, apply the file itself: orgchat config apply ${name}`;
  return exit === exitCodes.conflict
    ? `The record changed after the plan was made. Review it and plan again: orgchat config diff ${name}`
    : failure.hint;
}

/** The error of an apply, with the results of all steps. */
function applyError(
  document: ReturnType<typeof toResultDocument>,
  plan: Plan,
  deciding: Deciding,
  outcome: ApplyResult,
): CliError {
  const { applied, replayed, failed, notStarted } = document;
  const { step, failure } = deciding;
  const counts = `${applied} applied${formatCount(replayed, 'replayed')}, ${failed.length} failed, ${notStarted.length} not started`;
  const ids = failed.map(({ operationId }) => operationId).join(', ');
  return new CliError(`${singularNames[step.resource]} "${step.label}": ${failure.message} (${counts})`, {
    code: failure.code,
    exit: outcome.exit,
    hint: getApplyHint(plan, deciding, outcome, ids),
    operationId: failure.operationId,
    extra: { result: document },
    cause: failure,
  });
}
