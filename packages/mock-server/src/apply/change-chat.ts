import type { ChangeChatInput, ChatChange } from '@orgchat/spec';
import type { OperationEvent, RecordEvent } from '../events/event-types.ts';
import type { FaultMatch } from '../faults/faults.ts';
import {
  formatStoredAnswer,
  type Operation,
  type Resolution,
  type StoredAnswer,
} from '../operations/lifecycle.ts';
import { canonicalInput, Operations } from '../operations/operations.ts';
import { toIsoString } from '../primitives/clock.ts';
import { ApiError } from '../request/api-error.ts';
import type { ApplyResult, RequestContext } from '../request/context.ts';
import type { PlannedChange, WrittenChange } from '../request/planned-change.ts';
import { requireRuntime } from '../request/requirements.ts';
import { create, update } from './configurations.ts';
import { remove } from './deletion.ts';
import { enroll } from './enroll-scenario.ts';
import { setFriendTags, updateFriend } from './friends.ts';

function openOperations(context: RequestContext): Operations {
  const { world, caller, trace } = context;
  const { organization } = caller;
  const stored = organization.stored.operations;
  return new Operations(stored, (operationId, operation) => {
    if (world.history !== undefined && !isRunning(operation ?? stored.get(operationId)))
      world.keepState(trace);
    announceOperation(context, operationId, operation?.state ?? 'free');
    if (operation === undefined) stored.delete(operationId);
    else stored.set(operationId, operation);
    // A running operation is not saved: after a crash its operationId is free.
    if (operation?.state !== 'running') {
      world.recorder?.('operation', organization.id, operationId, operation);
    }
  });
}

/** Counting the requests of an uncertain operation does not change its state. */
function announceOperation(
  { world, caller, trace }: RequestContext,
  operationId: string,
  state: OperationEvent['state'],
): void {
  const before = caller.organization.stored.operations;
  if (state === 'uncertain' && before.get(operationId)?.state === state) return;
  world.events?.addOperation(trace, state);
}

/** What an applied change did to its record. */
const getEffect = ({ action }: ChatChange, { before }: PlannedChange): RecordEvent['action'] => {
  if (before === undefined) return 'created';
  return action === 'delete-configuration' ? 'deleted' : 'changed';
};

/** The state does not contain running operations, so neither a start nor a refusal of one changes it. */
const isRunning = (operation: Operation | undefined): boolean => operation?.state === 'running';

const toResult = (answer: StoredAnswer, replayed: boolean): ApplyResult => ({
  status: 200,
  body: formatStoredAnswer(answer, replayed),
  answer,
});

/**
 * Looks the operationId up (section 6): sets the stored answer or the right to apply the change, or throws a 409. A
 * change that is delayed is marked as running, so that the same request is answered 409 in the meantime.
 */
export function claimChange(context: RequestContext, { operationId, change }: ChangeChatInput): void {
  const { caller, trace, now } = context;
  requireRuntime(caller.organization);
  const operations = openOperations(context);
  const { comparesBytes } = context.world.rules.server;
  const input = canonicalInput(comparesBytes ? context.bodyText : change);
  const { verdict, operation } = operations.judgeRequest(operationId, input, now);
  if (operation !== undefined) {
    if (verdict === 'conflict') throw new ApiError('INPUT_CONFLICT', { reason: 'other-input', operation });
    const reason = operation.state === 'running' ? 'operation-running' : 'operation-uncertain';
    if (verdict === 'uncertain') throw new ApiError('OPERATION_UNCERTAIN', { reason, operation });
  }
  if (verdict === 'replay' && operation?.answer !== undefined) {
    trace.change.replayOf = operation.requestId;
    context.result = toResult(operation.answer, true);
    return;
  }
  const { requestId } = trace;
  const newOperation = { operationId, input, action: change.action, requestId, createdAt: toIsoString(now) };
  if (context.delayMs !== undefined) operations.start(newOperation);
  context.claim = { operations, operation: newOperation };
}

/** Checks a change against the current records and plans its write; nothing is written yet. */
export function planChange(context: RequestContext, change: ChatChange): PlannedChange {
  switch (change.action) {
    case 'update-friend':
      return updateFriend(context, change);
    case 'set-friend-tags':
      return setFriendTags(context, change);
    case 'enroll-scenario':
      return enroll(context, change);
    case 'delete-configuration':
      return remove(context, change);
    default:
      return 'id' in change ? update(context, change) : create(context, change);
  }
}

/** Writes a planned change and stores its answer under its operationId, unless a fault says otherwise. */
export function writeChange(
  context: RequestContext,
  change: ChatChange,
  planned: PlannedChange,
): ApplyResult {
  const { claim, uncertainFault, now } = context;
  const { operations, operation } = claim;
  if (context.isLeftOut) {
    operations.release(operation.operationId);
    return { status: 200, body: JSON.stringify(leftOut) };
  }
  if (uncertainFault !== undefined && !uncertainFault.fault.applied) {
    operations.markUncertain(operation, undefined, toResolution(uncertainFault.fault.resolve, now));
    return toLost(uncertainFault);
  }
  context.world.keepState(context.trace);
  const written = planned.write();
  const auditRecorded = !context.skipsAudit;
  recordChange(context, change, planned, written, auditRecorded);
  const answer: StoredAnswer = { auditRecorded, result: written.result };
  if (uncertainFault !== undefined) {
    operations.markUncertain(operation, answer, toResolution(uncertainFault.fault.resolve, now));
    return toLost(uncertainFault);
  }
  operations.complete(operation, answer);
  return toResult(answer, false);
}

/** The answer to a change that a fault left out (D66). */
const leftOut = { ok: true, applied: false, replayed: false, auditRecorded: false };

const toLost = ({ id, fault }: FaultMatch<'uncertain'>): ApplyResult => ({
  lost: fault.answer ?? 'reset',
  faultId: id,
  applied: fault.applied,
});

/** Frees the operationId of a change that was refused (D71), unless the server remembers it. */
export function releaseClaim({ claim: { operations, operation }, world }: RequestContext): void {
  if (world.rules.server.freesRefusedIds) operations.release(operation.operationId);
  else operations.rememberRefusal(operation);
}

type Resolve = 'never' | { readonly afterRequests: number } | { readonly afterMs: number };

const toResolution = (resolve: Resolve, now: number): Resolution =>
  resolve === 'never' || 'afterRequests' in resolve ? resolve : { at: now + resolve.afterMs };

/** Writes what happened into the request log and, unless a fault prevents it, into the audit log. */
function recordChange(
  context: RequestContext,
  change: ChatChange,
  planned: PlannedChange,
  written: WrittenChange,
  auditRecorded: boolean,
): void {
  const { world, caller, claim, trace, now } = context;
  trace.applied = true;
  trace.change.recordId = written.recordId;
  trace.change.recordName = written.recordName;
  trace.change.revisionBefore = planned.before?.revision;
  trace.change.revisionAfter = written.revisionAfter;
  if (!written.isUnchanged) world.events?.addChange(trace, getEffect(change, planned));
  if (!auditRecorded) return;
  const id = world.audit.size + 1;
  const entry = {
    id,
    at: toIsoString(now),
    requestId: trace.requestId,
    organizationId: caller.organization.id,
    operationId: claim.operation.operationId,
    key: caller.key.masked,
    keyName: caller.key.name,
    action: change.action,
    resource: planned.resource,
    recordId: written.recordId,
    recordName: written.recordName,
    revisionBefore: planned.before?.revision ?? null,
    revisionAfter: written.revisionAfter ?? null,
  };
  world.audit.set(id, entry);
  world.recorder?.('audit', '', String(id), entry);
}
