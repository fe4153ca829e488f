import type { OrgChatClient } from '@orgchat/sdk';
import { toShellWord } from '../args/shell-word.ts';
import type { Context } from '../context.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { readText } from '../input/read-input.ts';
import { type ApplyLock, applyTakenOverError, withApplyLock } from './apply/apply-lock.ts';
import { classifyFailure } from './apply/apply-result.ts';
import { confirmPlan } from './apply/confirm-plan.ts';
import { findLabelConflicts, labelConflictError, requireCurrentRecords } from './apply/conflicts.ts';
import { executePlan, executeSteps, updateBaseAfterApply } from './apply/execute-plan.ts';
import { createSendOptions, type SendOptions, type StepResults } from './apply/send-step.ts';
import {
  type ApplyState,
  findSentSteps,
  openApply,
  reportUnfinishedApply,
  toUnfinishedDocument,
  type UnfinishedApply,
} from './apply/unfinished-apply.ts';
import { type ConfigFile, requireValidConfig } from './file/read-config.ts';
import { readOrganization, readOrganizationId } from './organization.ts';
import { collectNames, type PlanWithNames } from './plan/format-plan.ts';
import { type Plan, parsePlan, type Step } from './plan/plan-schema.ts';
import { printPlan, printPlanWarnings } from './plan/print-plan.ts';
import { verifyDigest, verifyShownChanges } from './plan/verify-plan.ts';
import { readAndPlan } from './plan.ts';
import { findHistoryPath } from './sync-base.ts';

/** Applies a file. Its content decides whether it is a saved plan or a configuration. */
export async function applyPlanOrFile(context: Context, options: ApplyOptions, name: string): Promise<void> {
  const text = await readText(name);
  const saved = parsePlan(text, name);
  if (saved !== undefined) verifyDigest(saved, name);
  if (saved === undefined) await applyFile(context, options, requireValidConfig(name, text));
  else if (options.prune || options.replan || options.only)
    throw usageError(
      `--${options.prune ? 'prune' : options.replan ? 'replan' : 'only'} requires a configuration file, but ${name} is a plan.`,
      'Create a new plan, with --prune if it may delete: orgchat config plan FILE -o PLAN',
    );
  // A plan in a pipe was reviewed by nobody.
  else await applyPlan(context, options, saved, (await findHistoryPath(name)) !== null);
}

interface PlanApplyOptions {
  readonly dryRun?: true;
  readonly forceConflicts?: true;
  readonly showUnmanaged?: true;
  /** How long to wait for another apply, in milliseconds. */
  readonly lockTimeout?: number;
}

/** Applies a saved plan, unless a record that it changes is not as it was. */
async function applyPlan(
  context: Context,
  options: PlanApplyOptions,
  plan: Plan,
  isReviewed: boolean,
): Promise<void> {
  const { client, target } = await context.connect();
  const organizationId = await readOrganizationId(context);
  if (organizationId !== plan.organizationId || target.baseUrl !== plan.baseUrl) {
    throw new CliError(
      `The plan is for organization ${plan.organizationId} at ${plan.baseUrl}, not for ${organizationId} at ${target.baseUrl}.`,
      {
        code: 'PLAN_OF_ANOTHER_ORGANIZATION',
        exit: exitCodes.conflict,
        hint: 'Create a plan for this organization: orgchat config plan FILE -o PLAN',
      },
    );
  }
  const readAndVerify = async () => {
    const organization = await readOrganization(context, organizationId);
    verifyShownChanges(plan, organization);
    return { organization, prepared: { plan, findName: collectNames(plan, organization) } };
  };
  if (options.dryRun) return printPlan(context, (await readAndVerify()).prepared, undefined, options);
  await withApplyLock(context, plan, options.lockTimeout ?? 0, async (lock) => {
    const { organization, prepared } = await readAndVerify();
    const { forceConflicts = false, showUnmanaged } = options;
    await confirmPlan(context, prepared, { forceConflicts, showUnmanaged, isReviewed });
    await requireCurrentRecords(client, plan, organization);
    const { conflicts, hasLabelNow } = await findLabelConflicts(context, client, plan);
    if (conflicts.length > 0) throw labelConflictError(conflicts);
    const sending = createSendOptions(plan, 'exact', hasLabelNow);
    await executePlan(context, client, plan, { sending, lock }, async () => {});
  });
}

export interface ApplyOptions extends PlanApplyOptions {
  readonly prune?: true;
  readonly replan?: true;
  readonly only?: readonly string[];
}

/** Makes a plan from a file and applies it, or resumes the plan of an earlier run. */
async function applyFile(context: Context, options: ApplyOptions, file: ConfigFile): Promise<void> {
  const { baseUrl } = (await context.connect()).target;
  const target = { baseUrl, organizationId: await readOrganizationId(context) };
  const open = () => openApply(file, target, options);
  if (options.dryRun) return preview(context, options, file, (await open()).earlier);
  await withApplyLock(context, target, options.lockTimeout ?? 0, async (lock) =>
    applyLocked(context, options, file, await open(), lock),
  );
}

/** A plan to apply, and what the last read of the organization found. */
interface CurrentPlan {
  readonly plan: Plan;
  readonly hasLabelNow: SendOptions['hasLabelNow'];
}

async function applyLocked(
  context: Context,
  options: ApplyOptions,
  file: ConfigFile,
  state: ApplyState,
  lock: ApplyLock,
): Promise<void> {
  const client = await context.client();
  const { continued, givenUp } = await resumeOrSettleEarlierApply(context, client, options, state, lock);
  const current =
    continued ?? (await confirmNewPlan(context, client, options, await readAndPlan(context, file, options)));
  const plan = givenUp.length === 0 ? current.plan : { ...current.plan, givenUp: [...givenUp] };
  const hasSteps = plan.steps.length > 0;
  if (hasSteps && continued === undefined) await state.begin(plan);
  const sending = createSendOptions(plan, 'repeat', current.hasLabelNow);
  const isResumed = continued !== undefined;
  await executePlan(context, client, plan, { sending, lock, isResumed }, async (outcome) => {
    if (!hasSteps) return;
    if (outcome.plan === 'finished') await state.remove();
    else await state.save(plan, { over: outcome.plan === 'unsettled' });
  });
}

/** Shows what apply would do: resume an unfinished plan or make a new one. */
async function preview(
  context: Context,
  options: ApplyOptions,
  file: ConfigFile,
  earlier: UnfinishedApply | undefined,
): Promise<void> {
  if (earlier !== undefined) reportUnfinishedApply(context, earlier);
  const prepared = earlier?.isResumable
    ? { plan: earlier.plan, findName: collectNames(earlier.plan) }
    : await readAndPlan(context, file, options);
  printPlanWarnings(context, prepared.plan);
  await printPlan(context, prepared, earlier && toUnfinishedDocument(earlier), options);
}

interface ResumeResult {
  readonly continued?: CurrentPlan;
  /** Operations of earlier runs that were given up. */
  readonly givenUp: readonly string[];
}

/** Returns the plan of an earlier run if it can be continued; otherwise settles the steps that run had sent. */
async function resumeOrSettleEarlierApply(
  context: Context,
  client: OrgChatClient,
  { replan, showUnmanaged }: ApplyOptions,
  state: ApplyState,
  lock: ApplyLock,
): Promise<ResumeResult> {
  const { earlier } = state;
  if (earlier === undefined) return { givenUp: [] };
  const { plan, isResumable } = earlier;
  const before = plan.givenUp ?? [];
  reportUnfinishedApply(context, earlier);
  const findName = collectNames(plan);
  // Conflicts were confirmed when the plan was made.
  const approval = { forceConflicts: true, showUnmanaged };
  if (isResumable) await confirmPlan(context, { plan, findName }, approval);
  const { conflicts, hasLabelNow } = await findLabelConflicts(context, client, plan);
  if (isResumable && conflicts.length === 0) return { continued: { plan, hasLabelNow }, givenUp: before };
  if (isResumable)
    context.output.note('Someone else created these records in the meantime; making a new plan.');
  const steps = await findSentSteps(client, plan);
  if (!isResumable && steps.length > 0) {
    const sent = { ...plan, steps, unchanged: [], unmanaged: [] };
    const question = 'Finish the steps that an earlier apply sent?';
    await confirmPlan(context, { plan: sent, findName }, { ...approval, question });
  }
  const sending = createSendOptions(plan, 'exact', hasLabelNow);
  const { result, givenUp } = await settleEarlierApply(context, plan, steps, {
    sending,
    lock,
    giveUp: replan === true,
  });
  await updateBaseAfterApply(plan, result, false);
  await state.remove();
  return { givenUp: [...before, ...givenUp] };
}

async function confirmNewPlan(
  context: Context,
  client: OrgChatClient,
  { forceConflicts, showUnmanaged }: ApplyOptions,
  prepared: PlanWithNames,
): Promise<CurrentPlan> {
  const { plan } = prepared;
  printPlanWarnings(
    context,
    plan,
    ` Review them first: orgchat config diff ${toShellWord(plan.file ?? 'FILE')}`,
  );
  const asked = await confirmPlan(context, prepared, {
    showUnmanaged,
    forceConflicts: forceConflicts === true,
  });
  // The answer to the prompt may have taken long.
  const { conflicts, hasLabelNow } = asked
    ? await findLabelConflicts(context, client, plan)
    : { conflicts: [], hasLabelNow: () => false };
  if (conflicts.length > 0) throw labelConflictError(conflicts);
  return { plan, hasLabelNow };
}

interface SettleOptions {
  readonly sending: SendOptions;
  readonly lock: ApplyLock;
  /** Whether to leave open steps to the journal instead of ending the command. */
  readonly giveUp: boolean;
}

interface SettledApply {
  readonly result: StepResults;
  /** Operations whose outcome stays unknown, and that the user gave up. */
  readonly givenUp: readonly string[];
}

/**
 * Settles the steps that an earlier run had sent, before a new plan is made: each is sent again with its id. Steps
 * that stay unknown end the command, unless `giveUp` is set; then they stay in the journal.
 */
async function settleEarlierApply(
  context: Context,
  plan: Plan,
  steps: readonly Step[],
  { sending, lock, giveUp }: SettleOptions,
): Promise<SettledApply> {
  const result = await executeSteps(context, steps, {
    sending,
    mayBegin: () => lock.isHeld(),
    continueOnFailure: true,
  });
  if (!(await lock.isHeld())) throw applyTakenOverError(plan);
  context.interrupt.signal.throwIfAborted();
  const open = result.failed.filter(({ failure }) => classifyFailure(failure) !== 'refused');
  const [first] = open;
  if (first === undefined) return { result, givenUp: [] };
  const retryable = open.find(({ failure }) =>
    ['retryable', 'in-progress'].includes(classifyFailure(failure)),
  );
  if (retryable !== undefined) throw retryable.failure;
  const givenUp = open.flatMap(({ failure: { operationId } }) => operationId ?? []);
  const ids = givenUp.join(', ');
  if (giveUp) {
    context.output.warn(`the outcome of ${ids} is unknown; see orgchat ops list --unsettled`);
    return { result, givenUp };
  }
  const { message, code, exit, operationId } = first.failure;
  throw new CliError(
    `An earlier apply of this file has steps with an unknown outcome, so no new plan was made: ${message}`,
    {
      code,
      exit,
      hint: `Run the command again later, or give up ${ids} and make a new plan with --replan`,
      operationId,
      cause: first.failure,
    },
  );
}
