import type { ChatChange } from '@orgchat/spec';
import { momentOf } from '../clock.ts';
import type { Applied, CommandOf, Exchange } from '../exchange.ts';
import type { Aim } from '../faults/aim.ts';
import type { Resolution, StoredAnswer } from '../operations/lifecycle.ts';
import { type Begun, canonicalInput, Operations } from '../operations/operations.ts';
import { Refusal } from '../refusal.ts';
import { create, remove, update } from './configurations.ts';
import { enroll } from './enroll.ts';
import { setFriendTags, updateFriend } from './friends.ts';
import type { Plan, Scene, Written } from './plan.ts';
import { edit, guardedRecord } from './rival.ts';
import { needRuntime } from './runtime.ts';

/** An exchange, and the change it is about. */
export interface Change extends Exchange {
  readonly input: CommandOf<'changeChat'>['input'];
}

/** The change of an action, its checks passed and nothing written yet. */
export function plan(scene: Scene, change: ChatChange): Plan {
  switch (change.action) {
    case 'update-friend':
      return updateFriend(scene, change);
    case 'set-friend-tags':
      return setFriendTags(scene, change);
    case 'enroll-scenario':
      return enroll(scene, change);
    case 'delete-configuration':
      return remove(scene, change);
    default:
      return 'id' in change ? update(scene, change) : create(scene, change);
  }
}

function operationsOf({ world, caller: { organization } }: Change): Operations {
  const kept = organization.stored.operations;
  return new Operations(kept, (operationId, operation) => {
    if (operation === undefined) kept.delete(operationId);
    else kept.set(operationId, operation);
    // What is still running has happened for nobody yet: after a crash its operationId is free.
    if (operation?.state !== 'running') {
      world.recorder?.('operation', organization.id, operationId, operation);
    }
  });
}

/** A change whose operationId is its own from here on, until it is applied, refused or lost. */
export interface Claim {
  readonly operations: Operations;
  readonly operation: Begun;
}

const answerOf = ({ auditRecorded, result }: StoredAnswer, replayed: boolean): Applied => ({
  status: 200,
  body: `{"ok":true,"applied":true,"replayed":${replayed},"auditRecorded":${auditRecorded},"result":${result}}`,
});

/**
 * Asks for the operationId (clauses 6): a stored answer, a 409, or the right to apply. `hold` marks it as running
 * meanwhile, for a change that is not applied in this very turn.
 */
export function claim(exchange: Change, now: number, hold: boolean): Applied | Claim {
  needRuntime(exchange.caller.organization);
  const { operationId, change } = exchange.input;
  const operations = operationsOf(exchange);
  const input = canonicalInput(change);
  const { verdict, operation } = operations.ask(operationId, input, now);
  if (verdict === 'conflict') throw new Refusal('INPUT_CONFLICT');
  if (verdict === 'uncertain') throw new Refusal('OPERATION_UNCERTAIN');
  if (verdict === 'replay' && operation?.answer !== undefined) {
    exchange.trace.replayOf = operation.requestId;
    return answerOf(operation.answer, true);
  }
  const { requestId } = exchange.trace;
  const own = { operationId, input, action: change.action, requestId, createdAt: momentOf(now) };
  if (hold) operations.begin(own);
  return { operations, operation: own };
}

/** Applies a claimed change: its checks, its write and its stored answer in one turn. */
export function perform(exchange: Change, { operations, operation }: Claim, now: number, aim?: Aim): Applied {
  const { world, caller, trace } = exchange;
  const { change } = exchange.input;
  const scene: Scene = { world, caller, trace, operationId: operation.operationId, now };
  try {
    const guarded = aim && guardedRecord(caller.organization, change);
    const strike = aim && world.faults.strikeChange(aim, guarded !== undefined, trace);
    if (strike?.rival && guarded) edit(world, caller.organization, guarded, {}, now);
    const planned = plan(scene, change);
    const fault = aim && world.faults.strikeUncertain(aim, trace);
    if (fault !== undefined && fault.applied === false) {
      operations.lose(operation, undefined, resolutionOf(fault.resolve, now));
      return { lost: fault.answer ?? 'reset' };
    }
    const written = planned.write();
    const auditRecorded = strike?.skipAudit !== true;
    note(scene, change, planned, written, auditRecorded);
    const answer: StoredAnswer = { auditRecorded, result: written.result };
    if (fault !== undefined) {
      operations.lose(operation, answer, resolutionOf(fault.resolve, now));
      return { lost: fault.answer ?? 'reset' };
    }
    operations.apply(operation, answer);
    return answerOf(answer, false);
  } catch (refusal) {
    operations.refuse(operation.operationId);
    throw refusal;
  }
}

type Resolve = 'never' | { readonly afterRequests: number } | { readonly afterMs: number };

const resolutionOf = (resolve: Resolve, now: number): Resolution =>
  resolve === 'never' || 'afterRequests' in resolve ? resolve : { at: now + resolve.afterMs };

/** Writes what happened into the journal and, unless it fails, into the audit. */
function note(scene: Scene, change: ChatChange, planned: Plan, written: Written, audited: boolean): void {
  const { world, caller, trace, now } = scene;
  trace.applied = true;
  trace.recordId = written.recordId;
  trace.revisionBefore = planned.before?.revision;
  trace.revisionAfter = written.revisionAfter;
  if (!audited) return;
  const id = world.audit.size + 1;
  const entry = {
    id,
    at: momentOf(now),
    requestId: trace.requestId,
    organizationId: caller.organization.id,
    operationId: scene.operationId,
    key: caller.key.masked,
    keyName: caller.key.name,
    action: change.action,
    resource: planned.resource,
    recordId: written.recordId,
    revisionBefore: planned.before?.revision ?? null,
    revisionAfter: written.revisionAfter ?? null,
  };
  world.audit.set(id, entry);
  world.recorder?.('audit', '', String(id), entry);
}
