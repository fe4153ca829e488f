import { AbortedError, type OrgChatClient } from '@orgchat/sdk';
import { endWaitsOnly } from '@orgchat/sdk/internal';
import { singularNames } from '@orgchat/spec/resources/names';
import type { Context } from '../../context.ts';
import { toCliError } from '../../error-conversion/to-cli-error.ts';
import type { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { showProgress } from '../../output/progress.ts';
import { findRequiredSteps, type Plan, type Step } from '../plan/plan-schema.ts';
import { type BaseRecord, findBaseKey, isBaseNewer, updateBase } from '../sync-base.ts';
import { type ApplyLock, applyTakenOverError } from './apply-lock.ts';
import { type ApplyResult, getApplyResult, reportApply, toResultDocument } from './apply-result.ts';
import { duplicateLabelsError, findDuplicateLabels } from './conflicts.ts';
import type { SendOptions } from './send-step.ts';
import { type SentStep, type StepResults, StepSender } from './send-step.ts';

/** Number of concurrent steps; the SDK's pacing keeps them within the limit. */
const concurrency = 6;

const doing = { create: 'creating', update: 'updating', delete: 'deleting' } as const;

/** Whether a step can start: its references exist, and nothing refers to a record that it deletes. */
function createReadinessCheck(
  steps: readonly Step[],
  made: ReadonlyMap<string, SentStep>,
): (step: Step) => boolean {
  const deletions = steps.filter(({ action }) => action === 'delete');
  const others = steps.filter(({ action }) => action !== 'delete');
  return (step) => {
    if (step.action !== 'delete') return findRequiredSteps(step).every((key) => made.has(key));
    const before = deletions
      .slice(0, deletions.indexOf(step))
      .filter(({ resource }) => resource !== step.resource);
    return [...others, ...before].every(({ key }) => made.has(key));
  };
}

export interface ExecuteOptions {
  readonly sending: SendOptions;
  /** Whether this process may still start steps. */
  readonly mayBegin: () => Promise<boolean>;
  /** Whether to continue after a failure. */
  readonly continueOnFailure?: boolean;
}

/**
 * Applies steps, each with its operation id, so that running it again applies nothing twice. After Ctrl-C, and after
 * a failure unless `continueOnFailure`, steps that were sent are finished and no other is started. After Ctrl-C, this
 * holds for steps that wait to be sent as well.
 */
export async function executeSteps(
  context: Context,
  steps: readonly Step[],
  { sending, mayBegin, continueOnFailure = false }: ExecuteOptions,
): Promise<StepResults> {
  const call = { timeoutMs: context.bulkTimeoutMs, ...endWaitsOnly(context.interrupt.signal) };
  const sender = new StepSender(await context.client(), sending, call);
  const made = new Map<string, SentStep>();
  const done: { step: Step; made: SentStep }[] = [];
  const failed: { step: Step; failure: CliError }[] = [];
  const waiting = new Set(steps);
  const running = new Set<Promise<void>>();
  const isReady = createReadinessCheck(steps, made);
  const progress = await showProgress(context.output, 'configuration', steps.length);
  // The bar would overwrite the message about the signal.
  context.interrupt.signal.addEventListener('abort', progress.stop, { once: true });
  const sendStep = async (step: Step): Promise<void> => {
    const what = `${doing[step.action]} ${singularNames[step.resource]} ${step.label}`;
    progress.update(done.length, what);
    try {
      const result = await sender.send(step, made);
      made.set(step.key, result);
      done.push({ step, made: result });
    } catch (error) {
      // It waited for its turn when Ctrl-C was pressed. Nothing was sent.
      if (error instanceof AbortedError) waiting.add(step);
      else failed.push({ step, failure: await toCliError(error) });
    }
    progress.update(done.length, what);
  };
  await context.interrupt.runToEnd('the steps in progress', async () => {
    for (;;) {
      const stop =
        (failed.length > 0 && !continueOnFailure) || context.interrupt.stopping || !(await mayBegin());
      const next = stop || running.size >= concurrency ? undefined : [...waiting].find(isReady);
      if (next !== undefined) {
        waiting.delete(next);
        const work: Promise<void> = sendStep(next).finally(() => running.delete(work));
        running.add(work);
      } else if (running.size > 0) await Promise.race(running);
      else break;
    }
  });
  if (!context.interrupt.stopping) progress.stop();
  return { done, failed, notStarted: steps.filter((step) => waiting.has(step)) };
}

interface ExecutePlanOptions {
  readonly sending: SendOptions;
  readonly lock: ApplyLock;
  /** Whether an earlier run began this plan. */
  readonly isResumed?: boolean;
}

/** Applies a plan, updates the base and reports the result. */
export async function executePlan(
  context: Context,
  client: OrgChatClient,
  plan: Plan,
  { sending, lock, isResumed = false }: ExecutePlanOptions,
  saveState: (outcome: ApplyResult) => Promise<void>,
): Promise<void> {
  const result = await executeSteps(context, plan.steps, { sending, mayBegin: () => lock.isHeld() });
  if (!(await lock.isHeld())) throw applyTakenOverError(plan);
  const outcome = getApplyResult(result, isResumed);
  await updateBaseAfterApply(plan, result, outcome.exit === exitCodes.done);
  await saveState(outcome);
  const duplicates =
    outcome.exit === exitCodes.done ? await findDuplicateLabels(context, client, result, sending) : [];
  if (duplicates.length > 0) throw duplicateLabelsError(duplicates, toResultDocument(plan, result));
  await reportApply(context, plan, result, outcome);
}

type Gone = Pick<BaseRecord, 'resource' | 'id'>;

function getAppliedRecords({ done }: StepResults): BaseRecord[] {
  return done.flatMap(({ step: { resource }, made: { id, data } }) =>
    data === undefined ? [] : [{ resource, id, data }],
  );
}

function getDeletedRecords({ done }: StepResults): Gone[] {
  return done.flatMap(({ step: { resource, action, id, formerId } }) => {
    const before = action === 'delete' ? id : formerId;
    return before === undefined ? [] : [{ resource, id: before }];
  });
}

/**
 * Updates the base after an apply. `whole` means that no step is left. What was unchanged in the plan counts only if
 * the base is not newer than the plan.
 */
export async function updateBaseAfterApply(plan: Plan, result: StepResults, whole: boolean): Promise<void> {
  const key = findBaseKey(plan);
  if (key === undefined) return;
  const isNews = !(await isBaseNewer(plan));
  await updateBase(key, {
    // With --only, the records that were not compared keep the base that they have.
    whole: whole && plan.only === undefined ? plan.resources : [],
    records: [...(isNews ? plan.unchanged : []), ...getAppliedRecords(result)],
    gone: [...(isNews ? plan.gone : []), ...getDeletedRecords(result)],
    // Their origin is unknown. Otherwise the next plan would say that someone created them after this apply.
    unmanagedAtFirstApply:
      plan.only === undefined
        ? plan.unmanaged.filter(({ origin }) => origin === 'unknown').map(({ id }) => id)
        : [],
  });
}
