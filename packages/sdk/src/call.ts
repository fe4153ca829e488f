import { type Arrival, attempt } from './attempt.ts';
import { classify, type History } from './classify.ts';
import type { Core } from './core.ts';
import { after, Patience } from './deadline.ts';
import { OrgChatError } from './errors/base.ts';
import { errorOf, requestId } from './errors/from-arrival.ts';
import type { CallFacts } from './events.ts';
import { type Intended, identify, inTurn, type Operation, openOperation } from './operation.ts';
import { type CallOptions, type Limits, limitsOf, type WriteOptions } from './options.ts';
import type { ChangeOutcome } from './outcome.ts';
import type { ApiRequest } from './request.ts';
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
  readonly resume?: Resume | undefined;
}

export function pursuitOf<T>(
  core: Core,
  request: ApiRequest<T>,
  body: string,
  options: CallOptions,
): Pursuit<T> {
  const limits = limitsOf(core.settings, options);
  return { core, request, body, limits, patience: new Patience(limits.timeoutMs, options.signal) };
}

/** Records what is intended, then sends it. */
export async function write<T>(
  core: Core,
  request: ApiRequest<T>,
  intended: Intended,
  options: WriteOptions,
  resume?: Resume,
): Promise<Answered<T>> {
  const pursuit = { ...pursuitOf(core, request, '', options), resume };
  const { patience, limits } = pursuit;
  refuseIfStopped(pursuit, patience.stopped());
  const identity = await identify(core, options);
  const work = async (): Promise<Answered<T>> => {
    const operation = await openOperation(core, intended, identity, limits).catch(unrecorded);
    return pursue({ ...pursuit, body: operation.entry.body, operation });
  };
  if (!identity.isGiven) return work();
  return inTurn(identity, async (before) => {
    if (before) refuseIfStopped(pursuit, await patience.sleep(patience.remaining(), before));
    return work();
  });
}

/** A call that ends before it begins leaves no trace in the journal. */
function refuseIfStopped({ core, request }: Pursuit<unknown>, stop: Arrival['stop'] | undefined): void {
  if (stop) throw errorOf(core, request, { answer: 'stopped', stop }, {});
}

/** A write that cannot be recorded is not sent. */
function unrecorded(cause: unknown): never {
  if (cause instanceof OrgChatError) throw cause;
  throw new OrgChatError('the journal failed; nothing was sent', { code: 'JOURNAL_FAILED', cause });
}

let calls = 0;

/** The line every call goes: pace → attempt → classify → wait and again, or settle. */
export async function pursue<T>(pursuit: Pursuit<T>): Promise<Answered<T>> {
  const { core, request, body, operation, limits, patience } = pursuit;
  const { operation: name, kind, method, path, subject } = request;
  const operationId = operation?.entry.operationId;
  const facts: CallFacts = { callId: ++calls, operation: name, method, path, subject, operationId };
  core.emit(() => ({ ...facts, type: 'request' }));
  let history: History = operation?.history ?? 'fresh';
  for (let attempts = 0; ; ) {
    let arrival = await turn(pursuit, facts, history);
    if (arrival === undefined) {
      const startedAt = performance.now();
      arrival = await attempt(core, request, body, operationId ?? '', limits.attemptTimeoutMs, patience);
      const told = {
        attempt: ++attempts,
        answer: arrival.answer,
        ...eventFacts(arrival.response, startedAt),
      };
      core.emit(() => ({ ...facts, ...told, type: 'attempt' }));
    }
    const { outcome, again } = classify(kind, history, arrival.answer);
    const asked = askedFor(arrival);
    const ms = again ? waitAfter(attempts, limits, Math.random(), asked) : undefined;
    if (ms === undefined || ms > patience.remaining()) {
      const wait = ms ?? asked;
      const around = { operationId, attempts, retryAt: wait === undefined ? undefined : after(wait) };
      return settle(pursuit, facts, arrival, outcome, around);
    }
    if (outcome === 'unknown') history = 'ambiguous';
    core.emit(() => ({ ...facts, type: 'wait', reason: 'retry', ms }));
    await patience.sleep(ms);
  }
}

/** Waits for the turn; what it returns is why there is no attempt. */
async function turn<T>(
  pursuit: Pursuit<T>,
  facts: CallFacts,
  history: History,
): Promise<Arrival<T> | undefined> {
  const { core, request, operation, patience } = pursuit;
  if (request.kind === 'keywords' && history === 'ambiguous') {
    // Nothing tells a second keyword write from the first, so one that may have arrived is not sent.
    const value = request.read(operation?.entry.result, '');
    return value ? { answer: 'ok', value } : { answer: 'stopped', code: 'NOT_RESUMABLE' };
  }
  let stop = patience.stopped();
  const queued = stop ?? core.pacer?.take(core.settings.perMinute, patience);
  if (queued) {
    if (!stop) core.emit(() => ({ ...facts, type: 'wait', reason: 'pacing', ms: undefined }));
    stop = await queued;
  }
  return stop && { answer: 'stopped', stop };
}

export function eventFacts(response: Response | undefined, startedAt: number) {
  return {
    status: response?.status,
    requestId: requestId(response),
    durationMs: performance.now() - startedAt,
  };
}

/** How long the server asked to wait, in milliseconds. */
function askedFor({ answer, response }: Arrival): number | undefined {
  if (answer === 'ok' || !response) return undefined;
  const now = Date.now();
  const until = retryAfter(response.headers.get('retry-after'), now);
  return until && Math.max(0, until - now);
}
