import { type Arrival, attempt } from './attempt.ts';
import { classify, type History, type Outcome } from './classify.ts';
import type { Core } from './core.ts';
import { Patience, type Stop } from './deadline.ts';
import { errorOf, unknownOutcome } from './errors/from-arrival.ts';
import { OrgChatError } from './errors/index.ts';
import type { CallFacts } from './events.ts';
import { type Intended, identify, inTurn, type Operation, openOperation } from './operation.ts';
import { type CallOptions, callLimits, type Limits, type WriteOptions } from './options.ts';
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

let calls = 0;

/** Asks; may be sent again as often as it takes. */
export function read<T>(
  core: Core,
  request: ApiRequest<T>,
  body: string,
  options: CallOptions,
): Promise<Answered<T>> {
  const limits = callLimits(core.settings, options);
  return pursue({
    core,
    request,
    body,
    operation: undefined,
    limits,
    patience: new Patience(limits.timeoutMs, options.signal),
  });
}

/** Records what is intended, then sends it. */
export async function write<T>(
  core: Core,
  request: ApiRequest<T>,
  intended: Intended,
  options: WriteOptions,
  resume?: Resume,
): Promise<Answered<T>> {
  const limits = callLimits(core.settings, options);
  const patience = new Patience(limits.timeoutMs, options.signal);
  refuseIfStopped(core, request, patience.stopped());
  const identity = await identify(core, options);
  const work = async (): Promise<Answered<T>> => {
    const operation = await openOperation(core, intended, identity, limits).catch(unrecorded);
    const recorded = await recordedAnswer(core, request, operation);
    return recorded ?? carryOn(core, request, operation, limits, patience, resume);
  };
  if (!identity.isGiven) return work();
  return inTurn(identity, async (before) => {
    if (before) refuseIfStopped(core, request, await patience.sleep(patience.remaining(), before));
    return work();
  });
}

/** Sends an operation that is held, from wherever it stands. */
export function carryOn<T>(
  core: Core,
  request: ApiRequest<T>,
  operation: Operation,
  limits: Limits,
  patience: Patience,
  resume?: Resume,
): Promise<Answered<T>> {
  return pursue({ core, request, body: operation.entry.body, operation, limits, patience, resume });
}

/** A write that cannot be recorded is not sent. */
function unrecorded(cause: unknown): never {
  if (cause instanceof OrgChatError) throw cause;
  throw new OrgChatError({ code: 'JOURNAL_FAILED', message: 'the journal failed; nothing was sent', cause });
}

/** A keyword write that was answered is answered from the journal: to ask again would be to add again. */
async function recordedAnswer<T>(
  core: Core,
  request: ApiRequest<T>,
  { entry }: Operation,
): Promise<Answered<T> | undefined> {
  if (entry.kind !== 'keywords' || entry.state !== 'applied') return undefined;
  const data = request.read(entry.result, entry.operationId);
  if (data === undefined) return undefined;
  await core.journal.settle(entry);
  return { data, status: 201, headers: new Headers(), requestId: undefined, attempts: 0 };
}

interface Pursuit<T> {
  readonly core: Core;
  readonly request: ApiRequest<T>;
  readonly body: string;
  readonly operation: Operation | undefined;
  readonly limits: Limits;
  readonly patience: Patience;
  readonly resume?: Resume | undefined;
}

/** The line every call goes: pace → attempt → classify → wait and again, or settle. */
async function pursue<T>(pursuit: Pursuit<T>): Promise<Answered<T>> {
  const { core, request, body, operation, limits, patience } = pursuit;
  const facts = begin(core, request, operation);
  let history: History = operation?.history ?? 'fresh';
  for (let attempts = 0; ; ) {
    let arrival = await turn(pursuit, facts, history);
    if (arrival === undefined) {
      attempts++;
      const startedAt = performance.now();
      arrival = await attempt(
        core,
        request,
        body,
        facts.operationId ?? '',
        limits.attemptTimeoutMs,
        patience,
      );
      tellAttempt(core, facts, arrival, attempts, startedAt);
    }
    const verdict = classify(request.kind, history, arrival.answer);
    const asked = askedFor(arrival);
    const wait = verdict.again ? waitAfter(attempts, limits.retry, Math.random(), asked) : undefined;
    if (wait === undefined || wait > patience.remaining()) {
      const retryAt = moment(wait ?? asked);
      return conclude(pursuit, facts, arrival, verdict.outcome, attempts, retryAt);
    }
    if (verdict.outcome === 'unknown') history = 'ambiguous';
    core.emitter.emit('wait', () => ({ ...facts, type: 'wait', reason: 'retry', ms: wait }));
    await patience.sleep(wait);
  }
}

/** Waits for the turn; what it returns is why there is no attempt. */
async function turn<T>(p: Pursuit<T>, facts: CallFacts, history: History): Promise<Arrival<T> | undefined> {
  const { core, patience } = p;
  // Nothing tells a second keyword write from the first, so one that may have arrived is not sent.
  if (p.request.kind === 'keywords' && history === 'ambiguous') return { answer: 'stopped' };
  let stop: Stop | undefined = patience.stopped();
  const { perMinute } = core.settings;
  if (stop === undefined && core.pacer !== undefined && perMinute !== undefined) {
    const queued = core.pacer.take(perMinute, patience);
    if (queued !== undefined) {
      core.emitter.emit('wait', () => ({ ...facts, type: 'wait', reason: 'pacing', ms: undefined }));
      stop = await queued;
    }
  }
  return stop && { answer: 'stopped', stop };
}

async function conclude<T>(
  { core, request, operation, resume, patience }: Pursuit<T>,
  facts: CallFacts,
  arrival: Arrival<T>,
  outcome: Outcome,
  attempts: number,
  retryAt: Date | undefined,
): Promise<Answered<T>> {
  const { operationId } = facts;
  const { response, value } = arrival;
  let error: OrgChatError | undefined;
  if (outcome !== 'applied') {
    const circumstances = { core, request, operationId, attempts, retryAt };
    const finish = resume && operationId !== undefined ? () => resume(operationId) : undefined;
    error =
      outcome === 'unknown'
        ? unknownOutcome(arrival, circumstances, finish)
        : errorOf(arrival, circumstances);
  }
  if (operation !== undefined) await settle(core, operation.entry, outcome, attempts, error, value);
  core.emitter.emit('outcome', () => ({
    ...facts,
    type: 'outcome',
    outcome,
    attempts,
    durationMs: performance.now() - patience.startedAt,
    status: response?.status,
    requestId: response?.headers.get('x-request-id') ?? undefined,
    errorCode: error?.code,
  }));
  if (error !== undefined || response === undefined || value === undefined) throw error;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return { data: value, status: response.status, headers: response.headers, requestId, attempts };
}

function begin(core: Core, request: ApiRequest<unknown>, operation: Operation | undefined): CallFacts {
  const { operation: name, method, path, subject } = request;
  const operationId = operation?.entry.operationId;
  const facts: CallFacts = { callId: ++calls, operation: name, method, path, subject, operationId };
  core.emitter.emit('request', () => ({ ...facts, type: 'request' }));
  return facts;
}

function tellAttempt(
  core: Core,
  facts: CallFacts,
  arrival: Arrival,
  number: number,
  startedAt: number,
): void {
  core.emitter.emit('attempt', () => ({
    ...facts,
    type: 'attempt',
    attempt: number,
    answer: arrival.answer,
    status: arrival.response?.status,
    requestId: arrival.response?.headers.get('x-request-id') ?? undefined,
    durationMs: performance.now() - startedAt,
  }));
}

/** How long the server asked to wait, in milliseconds. */
function askedFor({ answer, response }: Arrival): number | undefined {
  if (answer === 'ok' || response === undefined) return undefined;
  const now = Date.now();
  const until = retryAfter(response.headers.get('retry-after'), now);
  return until === undefined ? undefined : Math.max(0, until - now);
}

function moment(ms: number | undefined): Date | undefined {
  return ms === undefined ? undefined : new Date(Math.min(Date.now() + Math.ceil(ms), 8.64e15));
}

/** A call that ends before it begins leaves no trace in the journal. */
function refuseIfStopped(core: Core, request: ApiRequest<unknown>, stop: Stop | undefined): void {
  if (stop === undefined) return;
  const circumstances = { core, request, operationId: undefined, attempts: 0, retryAt: undefined };
  throw errorOf({ answer: 'stopped', stop }, circumstances);
}
