import { declares } from '@orgchat/spec';
import { applyRivalEdit, findGuardedRecord } from '../apply/rival-edit.ts';
import type { FaultOf } from '../faults/schema.ts';
import { createFaultTarget } from '../faults/target.ts';
import type { RequestContext } from './context.ts';
import { answerFault } from './respond.ts';

/*
 * Where armed faults act on a request. Each hook is a step of the pipeline, or is called by one; without an armed
 * fault it does nothing.
 */

/** Before anything is checked: drops the request, answers it, or delays it. */
export function onArrival(context: RequestContext): void {
  const { world, trace, route, secret, body } = context;
  if (world.faults.idle) return;
  const target = createFaultTarget(route.operation, secret, body.peek());
  context.faultTarget = target;
  trace.noteUnvalidated(target);
  const { end, delayMs } = world.faults.matchOnArrival(target, trace);
  context.delayMs = delayMs;
  if (end === undefined) return;
  if (end.effect === 'drop-request') context.outcome = { kind: 'reset' };
  else {
    const undeclared = !declares(route.operation, end.status);
    context.outcome = { ...answerFault(context, end), undeclared };
  }
}

/** Before a new change is checked against its record: edits that record as a rival would, or skips the audit. */
export function beforeApply(context: RequestContext): void {
  const { world, trace, faultTarget, command, result } = context;
  if (faultTarget === undefined || command.operation !== 'changeChat' || result !== undefined) return;
  const { organization } = context.caller;
  const record = findGuardedRecord(organization, command.input.change);
  const { rival, skipAudit } = world.faults.matchBeforeApply(faultTarget, record !== undefined, trace);
  if (rival && record !== undefined) applyRivalEdit(world, organization, record, {}, context.now);
  context.skipsAudit = skipAudit;
}

/** When a new change passed its checks and is about to be written: whether its outcome becomes unknown. */
export function beforeWrite({ world, trace, faultTarget }: RequestContext): FaultOf<'uncertain'> | undefined {
  return faultTarget && world.faults.matchBeforeWrite(faultTarget, trace);
}

/** Before a success is answered: resets the connection, or cuts the body off. */
export function beforeAnswer(context: RequestContext): void {
  const { world, trace, faultTarget, response } = context;
  const fault = faultTarget && world.faults.matchBeforeAnswer(faultTarget, trace);
  if (fault === undefined) return;
  context.outcome = fault.effect === 'cut-response' ? { kind: 'cut', response } : { kind: 'reset' };
}
