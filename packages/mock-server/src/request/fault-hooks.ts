import { declares } from '@orgchat/spec';
import { applyRivalEdit, findGuardedRecord } from '../apply/rival-edit.ts';
import type { FaultOf } from '../faults/schema.ts';
import type { AdapterAction } from '../http/message.ts';
import { peekCommand } from './command.ts';
import type { RequestContext } from './context.ts';
import { answerFault } from './respond.ts';

/*
 * What armed faults do to a request. Each hook is a step of the pipeline, which runs it only if a fault is armed. The
 * section "Faults" of packages/mock-server/README.md lists the effects of each hook.
 */

/** Before anything but the route is checked: drops the request, answers it, or delays it. */
export function onArrival(context: RequestContext): void {
  const { world, trace, route } = context;
  const target = peekCommand(context, route.endpoint);
  context.faultTarget = target;
  trace.noteUnvalidated(target);
  const match = world.faults.match(['drop-request', 'respond'], target, trace);
  if (match !== undefined) {
    context.adapterAction = createActionOnArrival(context, match.fault);
    return;
  }
  const delay = world.faults.match(['delay'], target, trace);
  context.delayMs = delay?.delayMs;
  context.isAppliedBeforeDelay = delay?.fault.applied === true;
}

function createActionOnArrival(
  context: RequestContext,
  fault: FaultOf<'drop-request' | 'respond'>,
): AdapterAction {
  switch (fault.effect) {
    case 'drop-request':
      return { kind: 'reset' };
    case 'respond':
      return {
        ...answerFault(context, fault),
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
  const record = findGuardedRecord(organization, command.input.change);
  if (record !== undefined && world.faults.match(['rival-edit'], faultTarget, trace) !== undefined) {
    world.keepState(trace);
    applyRivalEdit(world, organization, record, {}, context.now, trace.requestId);
  }
  context.skipsAudit = world.faults.match(['skip-audit'], faultTarget, trace) !== undefined;
}

/** Before a new change that passed its checks is written: makes its outcome unknown to the client. */
export function beforeWrite(context: RequestContext): void {
  const { world, trace, faultTarget, plannedChange } = context;
  if (faultTarget === undefined || plannedChange === undefined) return;
  context.uncertainFault = world.faults.match(['uncertain'], faultTarget, trace)?.fault;
}

/** Before a success is answered: resets the connection, or cuts the body off. */
export function beforeAnswer(context: RequestContext): void {
  const { world, trace, faultTarget } = context;
  if (faultTarget === undefined) return;
  const match = world.faults.match(['lose-response', 'cut-response'], faultTarget, trace);
  if (match !== undefined) context.adapterAction = createActionBeforeAnswer(context, match.fault);
}

function createActionBeforeAnswer(
  { response }: RequestContext,
  fault: FaultOf<'lose-response' | 'cut-response'>,
): AdapterAction {
  switch (fault.effect) {
    case 'lose-response':
      return { kind: 'reset' };
    case 'cut-response':
      return { kind: 'cut', response };
  }
}
