import { type Arrival, attempt } from './attempt.ts';
import { classify, type History } from './classify.ts';
import type { Core } from './core.ts';
import { after, type Patience, patienceFor } from './deadline.ts';
import { OrgChatError } from './errors/base.ts';
import { errorOf } from './errors/from-arrival.ts';
import type { CallFacts, Tell } from './events.ts';
import type { JournalEntry } from './journal/journal.ts';
import { type Derived, deadlineOf, identify, inTurn, type Operation, openOperation } from './operation.ts';
import { type CallOptions, type Limits, limitsOf, type WriteOptions } from './options.ts';
import type { ChangeOutcome } from './outcome.ts';
import type { ApiRequest, WriteRequest } from './request.ts';
import { waitAfter } from './retry.ts';
import { retryAfter } from './retry-after.ts';
import { settle } from './settle.ts';

/** A result and what is told by `withResponse()`. */
export interface Answered<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id`. */
  readonly requestId: string | undefined;
  /** How many requests it took. */
  readonly attempts: number;
  /** The operation of a write. */
  readonly operationId: string | undefined;
}

/** How a change of an operation is finished later; a keyword write has no such way. */
export type Resume = (operationId: string) => Promise<ChangeOutcome>;

/** A call on its way. */
export interface Pursuit<T> {
  readonly core: Core;
  readonly request: ApiRequest<T>;
  readonly body: string | undefined;
  readonly limits: Limits;
  readonly patience: Patience;
  /** The write that is held in the journal. */
  readonly operation?: Operation;
  readonly resume?: (() => Promise<ChangeOutcome>) | undefined;
}

export function pursuitOf<T>(
  core: Core,
  request: ApiRequest<T>,
  body: string | undefined,
  options: CallOptions = {},
): Pursuit<T> {
  const limits = limitsOf(core.limits, options);
  return { core, request, body, limits, patience: patienceFor(limits.timeoutMs, options.signal) };
}

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
  const { isGiven, ...key } = await identify(core, options);
  const { kind, path } = request;
  const createdAt = new Date().toISOString();
  const begun: JournalEntry = {
    format: 1,
    ...key,
    kind,
    path,
    body: kind === 'change' ? `{"operationId":"${key.operationId}","change":${frozen}}` : frozen,
    state: 'pending',
    createdAt,
    updatedAt: createdAt,
    deadline: deadlineOf(limits),
    attempts: 0,
  };
  const work = async (before?: Promise<unknown>): Promise<Answered<T>> => {
    const stop = before ? await patience.sleep(Infinity, before) : patience.stopped();
    // A call that ends before it begins leaves no trace in the journal.
    if (stop) throw errorOf(pursuit, { answer: 'stopped', ...stop }, 'abandoned');
    const operation = await openOperation(core, begun, isGiven, derived).catch((cause: unknown) => {
      if (cause instanceof OrgChatError) throw cause;
      throw new OrgChatError('the journal failed; nothing was sent', { code: 'JOURNAL_FAILED', cause });
    });
    const again = resume && (() => resume(key.operationId));
    return pursue({ ...pursuit, body: operation.entry.body, operation, resume: again });
  };
  return isGiven ? inTurn(key, work) : work();
}

let calls = 0;

/** The line every call goes: pace → attempt → classify → wait and again, or settle. */
export async function pursue<T>(pursuit: Pursuit<T>): Promise<Answered<T>> {
  const { core, request, operation, limits, patience } = pursuit;
  const { kind, isPromised: _, ...named } = request;
  const facts: CallFacts = { callId: ++calls, ...named, operationId: operation?.entry.operationId };
  const tell: Tell = (news) => core.emit(() => ({ ...facts, ...news }));
  tell({ type: 'request' });
  let history: History = operation?.history ?? 'fresh';
  for (let attempts = 0; ; ) {
    let arrival = await turn(pursuit, tell, history);
    if (!arrival) {
      const startedAt = performance.now();
      arrival = await attempt(pursuit);
      const { answer, status, requestId } = arrival;
      const durationMs = performance.now() - startedAt;
      tell({ type: 'attempt', attempt: ++attempts, answer, status, requestId, durationMs });
    }
    const { outcome, again } = classify(kind, history, arrival.answer);
    const now = Date.now();
    const until = retryAfter(arrival.headers?.get('retry-after'), now);
    const ms = again ? waitAfter(attempts, limits, Math.random(), until && until - now) : undefined;
    if (ms === undefined || performance.now() + ms > patience.endsAt) {
      const retryAt = until ? new Date(until) : ms === undefined ? arrival.retryAt : after(ms);
      return settle(pursuit, tell, arrival, outcome, attempts, retryAt);
    }
    if (outcome === 'unknown') history = 'ambiguous';
    tell({ type: 'wait', reason: 'retry', ms });
    await patience.sleep(ms);
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
    const queued = core.pacer?.take(limits.perMinute, patience);
    if (queued) tell({ type: 'wait', reason: 'pacing', ms: undefined });
    stop = await queued;
  }
  return stop && { answer: 'stopped', ...stop };
}
