import { type Arrival, attempt } from './attempt.ts';
import { classify, type History } from './classify.ts';
import type { Core } from './core.ts';
import { after, Patience } from './deadline.ts';
import { OrgChatError } from './errors/base.ts';
import { errorOf, requestId } from './errors/from-arrival.ts';
import type { CallFacts } from './events.ts';
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
  readonly body: string;
  readonly limits: Limits;
  readonly patience: Patience;
  /** The write that is held in the journal. */
  readonly operation?: Operation;
  readonly resume?: (() => Promise<ChangeOutcome>) | undefined;
}

export function pursuitOf<T>(
  core: Core,
  request: ApiRequest<T>,
  body: string,
  options: CallOptions = {},
): Pursuit<T> {
  const limits = limitsOf(core.settings, options);
  return { core, request, body, limits, patience: new Patience(limits.timeoutMs, options.signal) };
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
  const pursuit = pursuitOf(core, request, '', options);
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
    if (stop) throw errorOf(core, request, { answer: 'stopped', ...stop }, {});
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
  const { kind, isPromised: _, ...told } = request;
  const operationId = operation?.entry.operationId;
  const facts: CallFacts = { callId: ++calls, ...told, operationId };
  core.emit(() => ({ ...facts, type: 'request' }));
  let history: History = operation?.history ?? 'fresh';
  for (let attempts = 0; ; ) {
    let arrival = await turn(pursuit, facts, history);
    if (!arrival) {
      const startedAt = performance.now();
      arrival = await attempt(pursuit);
      const { answer, response } = arrival;
      attempts++;
      core.emit(() => ({
        ...facts,
        attempt: attempts,
        answer,
        ...eventFacts(response, startedAt),
        type: 'attempt',
      }));
    }
    const { outcome, again } = classify(kind, history, arrival.answer);
    const asked = askedFor(arrival);
    const ms = again ? waitAfter(attempts, limits, Math.random(), asked) : undefined;
    if (ms === undefined || ms > patience.remaining()) {
      const wait = ms ?? asked;
      const retryAt = wait === undefined ? arrival.retryAt : after(wait);
      const around = { operationId, attempts, retryAt };
      return settle(pursuit, facts, arrival, outcome, around);
    }
    if (outcome === 'unknown') history = 'ambiguous';
    core.emit(() => ({ ...facts, type: 'wait', reason: 'retry', ms }));
    await patience.sleep(ms);
  }
}

/** Waits for the turn; what it returns is why there is no attempt. */
async function turn<T>(
  { core, request, operation, limits, patience }: Pursuit<T>,
  facts: CallFacts,
  history: History,
): Promise<Arrival<T> | undefined> {
  if (request.kind === 'keywords' && history === 'ambiguous') {
    // Nothing tells a second keyword write from the first, so one that may have arrived is not sent.
    const value = operation?.entry.result;
    return request.isPromised(value) ? { answer: 'ok', value } : { answer: 'stopped', code: 'NOT_RESUMABLE' };
  }
  let stop = patience.stopped();
  const queued = stop ? undefined : core.pacer?.take(limits.perMinute, patience);
  if (queued) {
    core.emit(() => ({ ...facts, type: 'wait', reason: 'pacing', ms: undefined }));
    stop = await queued;
  }
  return stop && { answer: 'stopped', ...stop };
}

export function eventFacts(response: Response | undefined, startedAt: number) {
  return {
    status: response?.status,
    requestId: requestId(response),
    durationMs: performance.now() - startedAt,
  };
}

/** How long the server asked to wait, in milliseconds. */
function askedFor({ response }: Arrival): number | undefined {
  const now = Date.now();
  const until = retryAfter(response?.headers.get('retry-after'), now);
  return until && Math.max(0, until - now);
}
