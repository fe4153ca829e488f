import { type ErrorCode, errorCatalog, errorCodes, errorMessage, type Language } from '@orgchat/spec';
import type { DescribedServer } from '../described-server/resolve-description.ts';
import type { FaultOf } from '../faults/schema.ts';
import { parseAcceptLanguage } from '../http/accept-language.ts';
import { type AdapterAction, answerHeaders, isBodiless, type PlainResponse } from '../http/message.ts';
import { ApiError } from './api-error.ts';
import { peekCommand } from './command.ts';
import type { RequestContext } from './context.ts';

interface RefusalAnswer {
  readonly status: number;
  readonly code: string;
}

/** Creates the response of a success. If a fault makes the outcome unknown, the request ends here. */
export function createResponse(context: RequestContext): void {
  const { result, trace } = context;
  if (result === undefined) throw new Error('A request is answered only after it was applied.');
  if (!('lost' in result)) {
    const { writeAnswer, sendsRequestIdOn2xx } = context.world.rules.server;
    const body = writeAnswer?.(context.command, result.body) ?? result.body;
    const response = createPlainResponse(context, result.status, body);
    context.response = sendsRequestIdOn2xx ? response : withoutRequestId(response);
    // It is kept before a fault can lose it. The log makes the text of a stored answer from it, as it was decided.
    context.world.requestLog.keepResponse(trace, body, writeAnswer === undefined ? result.answer : undefined);
    return;
  }
  const { lost, faultId, applied } = result;
  const cause = { reason: 'unknown-outcome', faultId, applied } as const;
  if (lost !== 'reset') throw new ApiError(lost === 502 ? 'RUNTIME_UNAVAILABLE' : 'INTERNAL_ERROR', cause);
  trace.rare.decision = { step: 'beforeWrite', cause, world: context.world };
  context.adapterAction = { kind: 'reset' };
}

/** Ends the request with its response. */
export function endWithAnswer(context: RequestContext): void {
  context.adapterAction = toAnswer(context, context.response);
}

/** The answer to a request that a step refused, or 500 if the mock itself failed. */
export function answerError(context: RequestContext, thrown: unknown, step: string): AdapterAction {
  const { world, trace } = context;
  if (!(thrown instanceof ApiError)) world.rules.onError(thrown);
  const error =
    thrown instanceof ApiError ? thrown : new ApiError('INTERNAL_ERROR', { reason: 'mock-error' });
  // The log shows what a request asked for even if it was refused before its body was parsed.
  if (trace.operation !== undefined) trace.noteUnvalidated(peekCommand(context, trace.operation));
  const { status, code } = getRefusal(world.rules.server, error);
  const { headers } = error;
  const response = createErrorResponse(context, status, code, error.message(getLanguage(context)), headers);
  const { cause } = error;
  // The fault was found before the write, and answers after it.
  const decidedIn = cause.reason === 'unknown-outcome' ? 'beforeWrite' : step;
  trace.rare.decision = { step: decidedIn, cause, world, headers };
  world.requestLog.keepResponse(trace, response.body);
  return toAnswer(context, response);
}

/** Which fault answers, and when. */
interface FaultAnswer {
  readonly step: 'onArrival' | 'beforeAnswer';
  readonly reason: 'fault-answer' | 'failed-response';
  readonly faultId: string;
}

/** The status and the code of a refusal. A server may have its own for a reference to no record. */
function getRefusal(
  { unknownReference, toServerCode }: DescribedServer,
  { code, status, cause, ownCode }: ApiError,
): RefusalAnswer {
  const isReference = cause.reason === 'unknown-reference' || cause.reason === 'unassigned-reference';
  if (isReference && typeof unknownReference === 'object') return unknownReference;
  return { status, code: ownCode ?? toServerCode(code) };
}

/** The answer that an armed fault gives instead of the service. */
export function answerFault(
  context: RequestContext,
  fault: FaultOf<'respond' | 'fail-response'>,
  { step, ...by }: FaultAnswer,
): ReturnType<typeof toAnswer> {
  const usual = getUsualCode(fault.status);
  const code = fault.error ?? context.world.rules.server.toServerCode(usual);
  const message = errorMessage(isKnown(code) ? code : usual, getLanguage(context));
  const retryAfter = 'retryAfter' in fault ? fault.retryAfter : undefined;
  const headers = retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) };
  const response = createErrorResponse(context, fault.status, code, message, headers);
  const cause = { ...by, status: fault.status };
  context.trace.rare.decision = { step, cause, world: context.world, headers };
  context.world.requestLog.keepResponse(context.trace, response.body);
  return toAnswer(context, response);
}

function toAnswer(
  { trace }: RequestContext,
  response: PlainResponse,
): Extract<AdapterAction, { kind: 'answer' }> {
  trace.answered = true;
  return { kind: 'answer', response };
}

/** A response with the headers that every answer has. */
function createPlainResponse(
  { trace, world: { clock }, now }: RequestContext,
  status: number,
  body: string,
): PlainResponse {
  trace.status = status;
  const headers = answerHeaders(trace.requestId);
  // The date of the machine is added by the server itself.
  return {
    status,
    headers: clock.isMoved ? { ...headers, Date: new Date(now).toUTCString() } : headers,
    body,
  };
}

/** The same response of a server that numbers only what failed. */
function withoutRequestId({ headers, ...response }: PlainResponse): PlainResponse {
  const { 'X-Request-Id': _, ...others } = headers;
  return { ...response, headers: others };
}

/** The error body and headers of an error (section 7.1). */
function createErrorResponse(
  context: RequestContext,
  status: number,
  error: string,
  message: string,
  headers: Readonly<Record<string, string>> | undefined,
): PlainResponse {
  const hasBody = !isBodiless(status);
  if (hasBody) context.trace.rare.error = error;
  const response = createPlainResponse(context, status, hasBody ? JSON.stringify({ error, message }) : '');
  return headers === undefined ? response : { ...response, headers: { ...response.headers, ...headers } };
}

const getLanguage = ({ request }: RequestContext): Language =>
  parseAcceptLanguage(request.header('accept-language'));

/** The usual code of a status; `INTERNAL_ERROR` if it has none. */
const getUsualCode = (status: number): ErrorCode =>
  errorCodes.find((code) => errorCatalog[code].statuses[0] === status) ?? 'INTERNAL_ERROR';

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(errorCatalog, code);
