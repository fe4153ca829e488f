import { declares } from '@orgchat/spec';
import { applyRivalEdit, deleteAsRival, findGuardedRecord } from './apply/rival-edit.ts';
import type { FaultMatch } from './faults/faults.ts';
import type { AdapterAction } from './http/message.ts';
import { parseEdit } from './inject/edit-shapes.ts';
import { peekCommand } from './request/command.ts';
import type { RequestContext } from './request/context.ts';
import { answerFault } from './request/respond.ts';
import type { Cause, FaultReason } from './why/cause.ts';

/*
 * What armed faults do to a request. Each hook is a step of the pipeline, which runs it only if a fault is armed. The
 * page packages/mock-server/docs/faults.md lists the effects of each hook.
 */

/** Notes in the request log which fault decided. */
function decide({ trace, world }: RequestContext, step: string, cause: Cause<FaultReason>): void {
  trace.rare.decision = { step, cause, world };
}

/** Before anything but the route is checked: delays the request, drops it, or answers it. */
export function onArrival(context: RequestContext): void {
  const { world, trace, route } = context;
  const target = peekCommand(context, route.endpoint);
  context.faultTarget = target;
  trace.noteUnvalidated(target);
  const { delayMs, answerDelayMs, end } = world.faults.matchOnArrival(target, trace);
  if (end === undefined) {
    context.delayMs = delayMs;
    context.answerDelayMs = answerDelayMs;
    return;
  }
  const resume = (): AdapterAction => createActionOnArrival(context, end);
  const isDelayed = delayMs !== undefined || answerDelayMs !== undefined;
  context.adapterAction = isDelayed
    ? { kind: 'later', delayMs: (delayMs ?? 0) + (answerDelayMs ?? 0), resume }
    : resume();
}

function createActionOnArrival(
  context: RequestContext,
  { id, fault }: FaultMatch<'drop-request' | 'respond'>,
): AdapterAction {
  switch (fault.effect) {
    case 'drop-request':
      decide(context, 'onArrival', { reason: 'dropped-request', faultId: id });
      return { kind: 'reset' };
    case 'respond':
      return {
        ...answerFault(context, fault, { step: 'onArrival', reason: 'fault-answer', faultId: id }),
        undeclared: !declares(context.route.endpoint, fault.status),
      };
  }
}

/** Before a new change is checked against its record: edits that record as a rival would, or skips the audit log. */
export function beforeApply(context: RequestContext): void {
  const { world, trace, faultTarget, command, result } = context;
  if (faultTarget === undefined || command.endpoint !== 'changeChat' || result !== undefined) return;
  const { organization } = context.caller;
  // Only a change that names a revision can conflict with another editor.
  const record = findGuardedRecord(context.caller, command.input.change);
  const rival =
    record &&
    world.faults.match(
      ['rival-edit'],
      faultTarget,
      trace,
      // A record cannot move to an account of another organization.
      ({ data = {} }) => organization.findUnknownAccount(data) === undefined,
    );
  if (record !== undefined && rival !== undefined) {
    world.keepState(trace);
    const editor = { kind: 'fault', id: rival.id } as const;
    const { data } = rival.fault;
    if (rival.fault.delete === true)
      deleteAsRival(world, organization, record, context.now, trace.requestId, rival.id);
    else {
      const changed = data === undefined ? {} : (parseEdit(record.resource, data) ?? {});
      applyRivalEdit(world, organization, record, changed, context.now, editor, trace.requestId);
    }
  }
  context.skipsAudit = world.faults.match(['skip-audit'], faultTarget, trace) !== undefined;
}

/** Before a new change that passed its checks is written: leaves it out, or makes its outcome unknown to the client. */
export function beforeWrite(context: RequestContext): void {
  const { world, trace, faultTarget, plannedChange } = context;
  if (faultTarget === undefined || plannedChange === undefined) return;
  const leftOut = world.faults.match(['not-applied'], faultTarget, trace);
  if (leftOut === undefined) context.uncertainFault = world.faults.match(['uncertain'], faultTarget, trace);
  else {
    context.isLeftOut = true;
    decide(context, 'beforeWrite', { reason: 'not-applied', faultId: leftOut.id });
  }
}

/** Before a success is answered: resets the connection, cuts the body off, or answers an error instead. */
export function beforeAnswer(context: RequestContext): void {
  const { world, trace, faultTarget } = context;
  if (faultTarget === undefined) return;
  const match = world.faults.match(['lose-response', 'cut-response', 'fail-response'], faultTarget, trace);
  if (match !== undefined) context.adapterAction = createActionBeforeAnswer(context, match);
}

function createActionBeforeAnswer(
  context: RequestContext,
  { id, fault }: FaultMatch<'lose-response' | 'cut-response' | 'fail-response'>,
): AdapterAction {
  switch (fault.effect) {
    case 'lose-response':
      decide(context, 'beforeAnswer', { reason: 'lost-response', faultId: id });
      return { kind: 'reset' };
    case 'cut-response':
      decide(context, 'beforeAnswer', { reason: 'cut-response', faultId: id });
      return { kind: 'cut', response: context.response };
    case 'fail-response':
      return {
        ...answerFault(context, fault, { step: 'beforeAnswer', reason: 'failed-response', faultId: id }),
        undeclared: !declares(context.route.endpoint, fault.status),
      };
  }
}
