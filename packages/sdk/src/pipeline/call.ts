import type { ClientContext } from '../client-context.ts';
import { OrgChatError, type Versions } from '../errors/base.ts';
import { createJournalError } from '../errors/create-errors.ts';
import { asRepeatable } from '../errors/repeatable.ts';
import type { EmitCallEvent } from '../events/events.ts';
import { rateWindowMs } from '../generated/limits.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { getEnding } from '../options/internal-options.ts';
import { requireCallOptions } from '../options/option-checks.ts';
import type { CallOptions, ChangeOptions } from '../options/options.ts';
import { resolveCallHeaders, resolveCallOptions } from '../options/resolve-options.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import { classify, type OperationHistory } from '../retry/classify.ts';
import { backoffDelay } from '../retry/retry-delay.ts';
import { createDeadline, dateAfter, retryAfter } from '../timing/deadline.ts';
import { beginWhenFree } from '../write/begin-when-free.ts';
import { CallEndedError } from '../write/call-journal.ts';
import {
  beginOperation,
  type Comparison,
  compareEverything,
  resolveOperationId,
  withOperationLock,
} from '../write/operation.ts';
import { trackWrite } from '../write/writes-in-progress.ts';
import type { ApiRequest, WriteRequest } from './api-request.ts';
import { attempt } from './attempt.ts';
import { type AttemptResult, type CallContext, type Resume, toReadOptions } from './call-context.ts';
import { unexpectedFailure } from './call-error.ts';
import { findKnownIntent } from './known-intent.ts';
import { findAskedMs, findLimitWait } from './limit-waits.ts';
import { tellPacing, waitForLimit, waitForRateLimit } from './pacing-waits.ts';
import { type EndedCall, settleCall, wasTakenOver } from './settle.ts';
import { useJournal } from './use-journal.ts';

/** Creates the state of a call. Its deadline starts now. */
export function createCallContext<T>(
  client: ClientContext,
  request: ApiRequest<T>,
  body: string | undefined,
  options: CallOptions | undefined,
): CallContext<T> {
  if (options) requireCallOptions(options);
  const callOptions = options ? resolveCallOptions(client.callOptions, options) : client.callOptions;
  const headers = options && resolveCallHeaders(options);
  const deadline = createDeadline(callOptions.timeoutMs, options?.signal, callOptions.coversPacing);
  const ending = getEnding(options);
  const signal = ending ? undefined : options?.signal;
  return { client, request, body, headers, callOptions, deadline, signal, ending };
}

/** Runs a write. An error without an outcome, such as that of an argument, says that the write never began. */
export async function asWrite<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OrgChatError && error.outcome === undefined)
      Object.assign(error, { outcome: 'abandoned' });
    throw error;
  }
}

/** Sends a write: records it in the journal first, then runs the call. */
export async function runWrite<T>(
  client: ClientContext,
  request: WriteRequest<T>,
  input: string,
  options: ChangeOptions | undefined,
  resume?: Resume,
  comparison: Comparison = compareEverything,
): Promise<ApiResponse<T>> {
  const send = (later = resume) => sendWrite(client, request, input, options, later, comparison);
  if (!options?.intent) return send();
  return asRepeatable(() => send(resume && ((operationId) => asRepeatable(() => resume(operationId)))));
}

async function sendWrite<T>(
  client: ClientContext,
  request: WriteRequest<T>,
  input: string,
  options: ChangeOptions | undefined,
  resume: Resume | undefined,
  comparison: Comparison,
): Promise<ApiResponse<T>> {
  const acceptsKnownIntent = options?.acceptKnownIntent;
  const context = { ...createCallContext(client, request, undefined, options), resume, acceptsKnownIntent };
  const { deadline, callOptions } = context;
  const { operationId, target, isGiven } = resolveOperationId(client, options);
  const { kind, path } = request;
  const createdAt = new Date().toISOString();
  const newEntry: JournalEntry = {
    format: 2,
    operationId,
    target,
    kind,
    path,
    body: kind === 'change' ? `{"operationId":"${operationId}","change":${input}}` : input,
    state: 'pending',
    createdAt,
    updatedAt: createdAt,
    deadline: dateAfter(callOptions.timeoutMs).toISOString(),
    attempts: 0,
    token: crypto.randomUUID(),
    fingerprint: comparison.fingerprint ?? options?.fingerprint,
  };
  // Nobody else can have an id that this call made.
  const waits = isGiven && options?.waitForOther !== false;
  const send = async (earlierCalls?: Promise<unknown>): Promise<ApiResponse<T>> => {
    const operation = await useJournal(context, operationId, async (journal) => {
      const callEnd =
        earlierCalls && waits ? await deadline.sleep(Infinity, earlierCalls) : deadline.checkEnd();
      // A call that ends before it begins leaves no trace in the journal.
      if (callEnd) throw new CallEndedError(callEnd);
      const begin = () => beginOperation(journal, newEntry, isGiven, comparison);
      try {
        return await (waits ? beginWhenFree(begin, deadline) : begin());
      } catch (cause) {
        if (cause instanceof OrgChatError || cause instanceof CallEndedError) throw cause;
        throw createJournalError(client, request, operationId, cause);
      }
    });
    return runCall({ ...context, body: operation.entry.body, operation });
  };
  const run = () => (isGiven ? withOperationLock(newEntry, send) : send());
  return trackWrite(client.writes, operationId, run);
}

let callCount = 0;

/** Runs a call and settles it. Whatever breaks in this process, an attempt that may have arrived is never forgotten. */
export async function runCall<T>(context: CallContext<T>): Promise<ApiResponse<T>> {
  const { request, operation } = context;
  const emit = createCallEmitter(context, ++callCount);
  const progress: CallProgress = { attempts: 0 };
  let settled: ApiResponse<T> | OrgChatError;
  try {
    settled = await settleCall(context, emit, await runAttempts(context, emit, progress));
  } catch (cause) {
    const { attempts } = progress;
    const answer = attempts === 0 ? 'stopped' : 'interrupted';
    const { outcome } = classify(request.kind, operation?.history ?? 'fresh', answer);
    const result = { answer, code: unexpectedFailure, cause } as const;
    settled = await settleCall(context, emit, { result, outcome, attempts });
  }
  if (settled instanceof OrgChatError) throw settled;
  return settled;
}

/** What is known of a call if it breaks. */
interface CallProgress {
  /** Number of attempts that began. */
  attempts: number;
}

/** Waits for the rate limit, makes an attempt, classifies it, and retries, until the call has ended. */
async function runAttempts<T>(
  context: CallContext<T>,
  emit: EmitCallEvent,
  progress: CallProgress,
): Promise<EndedCall<T>> {
  const { client, request, operation, callOptions, deadline, ending } = context;
  emit({ type: 'request' });
  let history: OperationHistory = operation?.history ?? 'fresh';
  let isUndecided = false;
  let limitWaits = 0;
  for (;;) {
    let result = answerFromJournal(context, history) ?? (await waitForRateLimit(context, emit));
    if (!result) {
      const startedAt = performance.now();
      deadline.ignoresSignal = ending !== undefined;
      progress.attempts++;
      context.isSending = true;
      result = await attempt(context);
      context.isSending = false;
      // A write whose answer decided nothing is still on its way.
      if (ending) {
        isUndecided ||= classify(request.kind, 'fresh', result.answer).outcome === 'unknown';
        deadline.ignoresSignal = isUndecided && !ending.inDoubt;
      }
      tellPacing(context, result, findLimitWait(result, limitWaits));
      const { answer, meaning, status, requestId } = result;
      const durationMs = performance.now() - startedAt;
      const code = client.redactor.text(result.code);
      emit({
        type: 'attempt',
        attempt: progress.attempts,
        answer,
        code,
        meaning,
        status,
        requestId,
        durationMs,
      });
    }
    const { attempts } = progress;
    // An answer that is what the contract promises proves the same, whatever happened before.
    if (result.answer === 'ok') return { result, outcome: 'applied', attempts };
    const versions = await findEvidence(context, result, history);
    result = (await findKnownIntent(context, result, history)) ?? result;
    if (versions) result = { ...result, answer: '409 staleRevision', meaning: 'staleRevision', versions };
    // A call that lost its entry before it sent anything did nothing. The call that has the entry now settles it.
    const isUntouchedTakeover = wasTakenOver(result) && attempts === 0;
    const knownHistory = isUntouchedTakeover ? 'fresh' : history;
    const { outcome, isRetryable } = classify(request.kind, knownHistory, result.answer);
    const now = Date.now();
    const limitWait = findLimitWait(result, limitWaits, now);
    const askedMs = findAskedMs(result, now);
    const backoffMs = isRetryable ? backoffDelay(attempts, callOptions, Math.random(), askedMs) : undefined;
    const delayMs = limitWait && backoffMs !== undefined ? limitWait.waitMs : backoffMs;
    const isPacing = limitWait?.pauseMs !== undefined;
    // As the wait for a slot, a wait for the minute limit is not counted by the default deadline.
    const isUncounted = isPacing && !deadline.coversPacing;
    const isTooLate = (ms: number): boolean => !isUncounted && performance.now() + ms > deadline.endsAt;
    const isLimited = ending?.atLimit === true && result.status === 429;
    if (delayMs === undefined || isTooLate(delayMs) || isLimited) {
      // A minute after a 429, the window of the limit has moved.
      const waitMs = askedMs ?? delayMs ?? (limitWait && rateWindowMs);
      const retryAt = waitMs === undefined ? result.retryAt : retryAfter(waitMs, now);
      return { result, outcome, attempts, retryAt };
    }
    if (outcome === 'unknown') history = 'ambiguous';
    if (limitWait) limitWaits++;
    if (isPacing) {
      await waitForLimit(context, emit, delayMs);
    } else {
      emit({ type: 'wait', reason: 'retry', ms: delayMs });
      await deadline.sleep(delayMs);
    }
  }
}

/** Creates the function that emits the events of one call. */
function createCallEmitter<T>({ client, request, operation }: CallContext<T>, callId: number): EmitCallEvent {
  return (payload) =>
    client.emit(() => {
      const { endpoint, method, path, subject } = request;
      const operationId = operation?.entry.operationId;
      // Events name the endpoint `operation`, as the specification does.
      return { callId, operation: endpoint, method, path, subject, operationId, ...payload };
    });
}

/**
 * Reads the record of a guarded change that was answered with a 409 whose code is not known. Returns both versions if
 * they prove that the change was stale. This is possible only while nobody else can have used the operation id. A read
 * that fails or comes too late proves nothing.
 */
async function findEvidence<T>(
  context: CallContext<T>,
  { answer }: AttemptResult<T>,
  history: OperationHistory,
): Promise<Versions | undefined> {
  const { operation, request } = context;
  if (answer !== '409' || history !== 'fresh' || !operation || !request.findStaleVersions) return undefined;
  try {
    return await request.findStaleVersions(operation.entry.body, toReadOptions(context));
  } catch {
    return undefined;
  }
}

/**
 * Answers a keyword write that may have been sent before from its entry. It is never sent again, because the server
 * cannot tell the second from the first. Returns undefined for every other call.
 */
function answerFromJournal<T>(
  { request, operation }: CallContext<T>,
  history: OperationHistory,
): AttemptResult<T> | undefined {
  if (request.kind !== 'keywords' || history !== 'ambiguous' || !operation) return undefined;
  const value = operation.entry.result;
  return request.matchesContract(value)
    ? { answer: 'ok', value }
    : { answer: 'stopped', code: 'NOT_RESUMABLE' };
}
