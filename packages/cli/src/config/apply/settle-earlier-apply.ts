import type { Context } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import type { Plan, Step } from '../plan/plan-schema.ts';
import { type ApplyLock, applyTakenOverError } from './apply-lock.ts';
import { classifyFailure } from './apply-result.ts';
import { executeSteps } from './execute-plan.ts';
import type { SendOptions, StepResults } from './send-step.ts';

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
export async function settleEarlierApply(
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
