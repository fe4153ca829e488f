import { addKeywords } from './apply/add-keywords.ts';
import { applyChange, claimChange } from './apply/change-chat.ts';
import { getAccount } from './apply/get-account.ts';
import { readChat } from './apply/read-chat.ts';
import { readStudio } from './apply/read-studio.ts';
import { Body } from './http/body.ts';
import type { Outcome, PlainRequest } from './http/message.ts';
import { authenticate, authorize, checkPlan, enforceLimits, parseBearerKey } from './request/access.ts';
import { type ApplyResult, type Command, RequestContext } from './request/context.ts';
import * as faults from './request/fault-hooks.ts';
import { matchRoute } from './request/match-route.ts';
import { answer, answerError, respond } from './request/respond.ts';
import { validate } from './request/validate.ts';
import type { World } from './world/world.ts';

/**
 * Does one thing with a request. A step ends the request by throwing an `ApiError`, which is answered, or by setting
 * the outcome.
 */
type Step = (context: RequestContext) => void;

/**
 * What happens to every request of the API, in this order (D3). Nothing waits except between the two lists, so a check
 * and the write that depends on it happen in one turn of the event loop.
 */
const steps = {
  /** On arrival: every check that does not depend on the record. */
  onArrival: [
    matchRoute,
    faults.onArrival,
    authenticate,
    checkPlan,
    enforceLimits,
    authorize,
    validate,
    claimOperation,
  ],
  /** At once, or after the delay that a fault asks for. */
  whenDue: [faults.beforeApply, applyCommand, respond, faults.beforeAnswer, answer],
} satisfies Record<string, readonly Step[]>;

/**
 * Handles a request of the API from its arrival to its answer. `path` is below the base URL; `isBelow` is false if the
 * request is not below it, so that no path is known (clause 1.4).
 */
export function handle(world: World, request: PlainRequest, path: string, isBelow = true): Outcome {
  const now = world.clock.now();
  const trace = world.requestLog.receive(world.rules.nextRequestId(), now, request, path);
  const secret = parseBearerKey(request.header('authorization'));
  const context = new RequestContext(
    world,
    request,
    isBelow ? path : '',
    new Body(request),
    trace,
    secret,
    now,
  );
  const error = run(context, steps.onArrival);
  if (context.outcome !== undefined) return context.outcome;
  if (context.delayMs === undefined) return finish(context, error);
  // An error that a check found is answered after the delay too.
  const resume = (): Outcome => {
    context.now = world.clock.now();
    return finish(context, error);
  };
  return { kind: 'later', delayMs: context.delayMs, resume };
}

/** What a step threw, which nobody caught: an `ApiError`, or an error in the mock itself. */
interface StepError {
  readonly thrown: unknown;
}

/** Runs steps until one ends the request; returns what was thrown, if anything. */
function run(context: RequestContext, list: readonly Step[]): StepError | undefined {
  try {
    for (const step of list) {
      step(context);
      if (context.outcome !== undefined) return undefined;
    }
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}

/** Applies and answers a request that passed the checks, or answers the error of the check that it failed. */
function finish(context: RequestContext, checkError: StepError | undefined): Outcome {
  const error = checkError ?? run(context, steps.whenDue);
  if (error !== undefined) return answerError(context, error.thrown);
  return context.outcome ?? answerError(context, new Error('No step of the pipeline ended the request.'));
}

/** Claims the operationId of a change, or finds the stored answer (clauses 6). Other operations have none. */
function claimOperation(context: RequestContext): void {
  const { command } = context;
  if (command.operation === 'changeChat') claimChange(context, command.input);
}

/** Does what the request asks for, unless its answer is a replay. */
function applyCommand(context: RequestContext): void {
  context.result ??= apply(context, context.command);
}

function apply(context: RequestContext, command: Command): ApplyResult {
  switch (command.operation) {
    case 'getAccount':
      return getAccount(context);
    case 'addSeoKeywords':
      return addKeywords(context, command);
    case 'readChat':
      return readChat(context, command.input);
    case 'changeChat':
      return applyChange(context, command.input);
    case 'readStudio':
      return readStudio(context, command.input);
  }
}
