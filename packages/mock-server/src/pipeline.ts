import { addKeywords } from './apply/add-keywords.ts';
import { claimChange, planChange, releaseClaim, writeChange } from './apply/change-chat.ts';
import * as faults from './fault-hooks.ts';
import { parseBearerKey } from './http/bearer-key.ts';
import type { AdapterAction, PlainRequest } from './http/message.ts';
import { getAccount } from './reads/get-account.ts';
import { readChat } from './reads/read-chat.ts';
import { readStudio } from './reads/read-studio.ts';
import { authenticate, authorize, checkPlan, enforceLimits } from './request/access.ts';
import type { ApiError } from './request/api-error.ts';
import { matchRoute, parseCommand } from './request/command.ts';
import { RequestContext } from './request/context.ts';
import { answerError, createResponse, endWithAnswer } from './request/respond.ts';
import type { World } from './world/world.ts';

/**
 * One step of the pipeline. A step ends the request by throwing an `ApiError`, which is answered, or by setting
 * the adapter action.
 */
type Step = (context: RequestContext) => void;

/** A hook of the faults: a step that runs only if a fault is armed. */
const ifArmed =
  (hook: Step): Step =>
  (context) => {
    if (context.world.faults.areArmed) hook(context);
  };

/** Steps in order, and their names for the request log. */
interface Steps {
  readonly list: readonly Step[];
  readonly names: readonly string[];
}

const nameSteps = (named: Readonly<Record<string, Step>>): Steps => ({
  list: Object.values(named),
  names: Object.keys(named),
});

/**
 * What happens to every request of the API, in this order (D3). Nothing waits except between the two lists, so a check
 * and the write that depends on it happen in one turn of the event loop.
 */
const steps = {
  /** On arrival: every check that does not depend on a record. */
  checks: nameSteps({
    matchRoute,
    onArrival: ifArmed(faults.onArrival),
    authenticate,
    checkPlan,
    enforceLimits,
    authorize,
    parseCommand,
    claimOperation,
  }),
  /** At once, or after the delay that a fault asks for, unless that fault delays only the answer. */
  applyAndAnswer: nameSteps({
    beforeApply: ifArmed(faults.beforeApply),
    applyCommand,
    beforeWrite: ifArmed(faults.beforeWrite),
    writePlannedChange,
    createResponse,
    beforeAnswer: ifArmed(faults.beforeAnswer),
    endWithAnswer,
  }),
} satisfies Record<string, Steps>;

/**
 * Handles a request of the API from its arrival to its answer. `path` is below the base URL. If it is not, no path is
 * known (clause 1.4): `refusal` then says why.
 */
export function handle(world: World, request: PlainRequest, path: string, refusal?: ApiError): AdapterAction {
  const now = world.clock.now();
  const startedAt = isTimed(world, request) ? world.rules.monotonicNow() : undefined;
  const trace = world.requestLog.receive(world.rules.nextRequestId(), now, request, path);
  request.onReceived?.(trace);
  const secret = parseBearerKey(request.header('authorization'));
  const context = new RequestContext(world, request, refusal ?? path, trace, secret, now, startedAt);
  const error = run(context, steps.checks);
  if (context.bodyText !== undefined) world.requestLog.keepText(trace, context.bodyText);
  if (context.adapterAction !== undefined) return endOnArrival(context, context.adapterAction);
  const { delayMs } = context;
  if (delayMs === undefined) return delayAnswer(context, finish(context, error));
  // An error that a check found is answered after the delay too.
  const resume = (): AdapterAction => {
    context.now = world.clock.now();
    return delayAnswer(context, finish(context, error));
  };
  return { kind: 'later', delayMs, resume };
}

/** Ends a request that a fault ends on its arrival, at once or after the delay of an earlier fault. */
function endOnArrival(context: RequestContext, action: AdapterAction): AdapterAction {
  if (action.kind !== 'later') return end(context, action);
  const resume = (): ReturnType<typeof action.resume> => {
    context.now = context.world.clock.now();
    const resumed = action.resume();
    return resumed instanceof Promise ? resumed : end(context, resumed);
  };
  return { ...action, resume };
}

/** The action of a request that is decided, or the wait before it if a fault delays the answer. */
function delayAnswer(context: RequestContext, action: AdapterAction): AdapterAction {
  const { answerDelayMs } = context;
  if (answerDelayMs === undefined) return action;
  const resume = (): AdapterAction => {
    noteDuration(context);
    return action;
  };
  return { kind: 'later', delayMs: answerDelayMs, resume };
}

/** What a step threw: an `ApiError`, or an error in the mock itself. */
interface StepError {
  readonly thrown: unknown;
  /** The name of the step. */
  readonly step: string;
}

/** Runs steps until one ends the request; returns what was thrown, if anything. */
function run(context: RequestContext, { list, names }: Steps): StepError | undefined {
  // A throw out of `for … of` also ends its iterator, which makes a refused request 7 % slower.
  let i = 0;
  try {
    for (; i < list.length; i++) {
      list[i]!(context);
      if (context.adapterAction !== undefined) return undefined;
    }
    return undefined;
  } catch (thrown) {
    return { thrown, step: names[i]! };
  }
}

/** Applies and answers a request that passed the checks, or answers the error of the check that it failed. */
function finish(context: RequestContext, checkError: StepError | undefined): AdapterAction {
  const error = checkError ?? run(context, steps.applyAndAnswer);
  if (error === undefined && context.adapterAction !== undefined) return end(context, context.adapterAction);
  if (context.isClaimOpen) releaseClaim(context);
  if (error !== undefined) return end(context, answerError(context, error.thrown, error.step));
  const thrown = new Error('No step of the pipeline ended the request.');
  return end(context, answerError(context, thrown, 'endWithAnswer'));
}

/** Says that a request was decided: its entry in the log is complete. */
function end(context: RequestContext, action: AdapterAction): AdapterAction {
  noteDuration(context);
  context.world.events?.addRequest(context.trace);
  return action;
}

/**
 * Whether a request is timed. One of this process that no fault can delay takes a few microseconds, and reading a clock
 * twice would add up to a tenth to that; it is timed only if the clock is the caller's.
 */
const isTimed = ({ rules, faults }: World, { controlGuard }: PlainRequest): boolean =>
  controlGuard !== undefined || faults.areArmed || rules.hasOwnClock;

/** Notes the time since a timed request arrived. Whole microseconds, which need no memory of their own. */
function noteDuration({ world, trace, startedAt }: RequestContext): void {
  if (startedAt === undefined) return;
  trace.durationUs = Math.round((world.rules.monotonicNow() - startedAt) * 1000);
}

/** Claims the operationId of a change, or finds the stored answer (section 6). Other requests have none. */
function claimOperation(context: RequestContext): void {
  const { command } = context;
  if (command.endpoint === 'changeChat') claimChange(context, command.input);
}

/** Does what a request asks for, unless its answer is a replay. A change is checked and planned, but not yet written. */
function applyCommand(context: RequestContext): void {
  if (context.result !== undefined) return;
  const { command } = context;
  switch (command.endpoint) {
    case 'getAccount':
      context.result = getAccount(context);
      return;
    case 'addSeoKeywords':
      context.result = addKeywords(context, command);
      return;
    case 'readChat':
      context.result = readChat(context, command.input);
      return;
    case 'changeChat':
      context.plannedChange = planChange(context, command.input.change);
      return;
    case 'readStudio':
      context.result = readStudio(context, command.input);
      return;
  }
}

function writePlannedChange(context: RequestContext): void {
  const { command, plannedChange } = context;
  if (plannedChange === undefined || command.endpoint !== 'changeChat') return;
  context.result = writeChange(context, command.input.change, plannedChange);
}
