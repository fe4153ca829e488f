import { attempt } from './attempt.ts';
import type { Answered } from './call-promise.ts';
import { classify, type History } from './classify.ts';
import type { Core } from './core.ts';
import { after } from './deadline.ts';
import { OrgChatError, type Versions } from './errors/base.ts';
import { errorOf } from './errors/from-arrival.ts';
import type { Tell } from './events.ts';
import type { JournalEntry } from './journal/journal.ts';
import { type Derived, identify, inTurn, openOperation, renewHold } from './operation.ts';
import type { WriteOptions } from './options.ts';
import { type Arrival, type Pursuit, pursuitOf, type Resume } from './pursuit.ts';
import type { WriteRequest } from './request.ts';
import { waitAfter } from './retry.ts';
import { retryAfter } from './retry-after.ts';
import { isTakenOver, settle } from './settle.ts';

/** Records what is intended, then sends it. */
export async function write<T>(
  core: Core,
  request: WriteRequest<T>,
  frozen: string,
  options: WriteOptions | undefined,
  resume?: Resume,
  derived?: Derived,
): Promise<Answered<T>> {
  const pursuit = pursuitOf(core, request, undefined, options);
  const { patience, limits } = pursuit;
  const { operationId, target, isGiven } = await identify(core, options);
  const { kind, path } = request;
  const createdAt = new Date().toISOString();
  const begun: JournalEntry = {
    format: 2,
    operationId,
    target,
    kind,
    path,
    body: kind === 'change' ? `{"operationId":"${operationId}","change":${frozen}}` : frozen,
    state: 'pending',
    createdAt,
    updatedAt: createdAt,
    deadline: after(limits.timeoutMs).toISOString(),
    attempts: 0,
    token: crypto.randomUUID(),
  };
  const work = async (before?: Promise<unknown>): Promise<Answered<T>> => {
    const stop = before ? await patience.sleep(Infinity, before) : patience.stopped();
    // A call that ends before it begins leaves no trace in the journal.
    if (stop) throw errorOf(pursuit, { answer: 'stopped', ...stop }, 'abandoned', { operationId });
    const operation = await openOperation(core, begun, isGiven, derived).catch((cause: unknown) => {
      if (cause instanceof OrgChatError) throw cause;
      throw new OrgChatError('journal failed; nothing was sent', {
        code: 'JOURNAL_FAILED',
        operationId,
        cause,
      });
    });
    return pursue(Object.assign(pursuit, { body: operation.entry.body, operation, resume }));
  };
  return isGiven ? inTurn(begun, work) : work();
}

let calls = 0;

/** The line every call goes: pace → attempt → classify → wait and again, or settle. */
export async function pursue<T>(pursuit: Pursuit<T>): Promise<Answered<T>> {
  const { core, request, operation, limits, patience } = pursuit;
  const callId = ++calls;
  const tell: Tell = (news) =>
    core.emit(() => {
      const { operation: name, method, path, subject } = request;
      return {
        callId,
        operation: name,
        method,
        path,
        subject,
        operationId: operation?.entry.operationId,
        ...news,
      };
    });
  tell({ type: 'request' });
  let history: History = operation?.history ?? 'fresh';
  for (let attempts = 0; ; ) {
    let arrival = await turn(pursuit, tell, history);
    if (!arrival) {
      const startedAt = performance.now();
      arrival = await attempt(pursuit);
      const { answer, code, meaning, status, requestId } = arrival;
      const durationMs = performance.now() - startedAt;
      const shown = core.redactor.text(code);
      const said = { answer, code: shown, meaning, status, requestId };
      tell({ type: 'attempt', attempt: ++attempts, ...said, durationMs });
    }
    const versions = await findEvidence(pursuit, arrival, history);
    if (versions) arrival = { ...arrival, answer: '409 staleRevision', meaning: 'staleRevision', versions };
    // A call that lost its entry before it sent anything has done nothing; what came before it, another call tells.
    const known = isTakenOver(arrival) && attempts === 0 ? 'fresh' : history;
    const { outcome, again } = classify(request.kind, known, arrival.answer);
    const now = Date.now();
    const asked = retryAfter(arrival.headers?.get('retry-after'), now, arrival.headers?.get('date'));
    const ms = again ? waitAfter(attempts, limits, Math.random(), asked) : undefined;
    if (ms === undefined || performance.now() + ms > patience.endsAt) {
      const wait = asked ?? ms;
      const retryAt = wait === undefined ? arrival.retryAt : after(wait, now);
      return settle(pursuit, tell, arrival, outcome, attempts, retryAt);
    }
    if (outcome === 'unknown') history = 'ambiguous';
    tell({ type: 'wait', reason: 'retry', ms });
    await patience.sleep(ms);
  }
}

/**
 * A 409 whose code is not known to a guarded change is decided by reading the record, only while nobody else can have
 * used the id. A read that fails, or comes too late, proves nothing.
 */
async function findEvidence<T>(
  { operation, request, patience, limits, signal }: Pursuit<T>,
  { answer }: Arrival<T>,
  history: History,
): Promise<Versions | undefined> {
  if (answer !== '409' || history !== 'fresh' || !operation || !request.findStaleVersions) return undefined;
  try {
    return await request.findStaleVersions(operation.entry.body, {
      signal,
      timeoutMs: patience.endsAt - performance.now(),
      attemptTimeoutMs: limits.attemptTimeoutMs,
    });
  } catch {
    return undefined;
  }
}

/** Waits for the turn; what it returns is why there is no attempt. */
async function turn<T>(
  { core, request, operation, limits, patience }: Pursuit<T>,
  tell: Tell,
  history: History,
): Promise<Arrival<T> | undefined> {
  if (request.kind === 'keywords' && history === 'ambiguous') {
    // Nothing tells a second keyword write from the first, so one that may have arrived is not sent.
    const value = operation?.entry.result;
    return request.isPromised(value) ? { answer: 'ok', value } : { answer: 'stopped', code: 'NOT_RESUMABLE' };
  }
  let stop = patience.stopped();
  if (!stop) {
    const delay = core.pacer?.delay(limits.perMinute) ?? 0;
    const queued = core.pacer?.take(limits.perMinute, patience);
    if (queued) tell({ type: 'wait', reason: 'pacing' });
    // The deadline waits as well, so the entry is held for longer.
    if (queued instanceof Promise && operation && !patience.coversPacing) {
      const lost = await renewHold(core, operation.entry, after(limits.timeoutMs + delay));
      if (lost) patience.end(lost);
    }
    // The slot may have come before the hold was found lost.
    stop = (await queued) ?? patience.stopped();
  }
  return stop && { answer: 'stopped', ...stop };
}
