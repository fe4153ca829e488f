import { type ErrorCode, errorCatalogue, errorCodes, errorMessage, type Language } from '@orgchat/spec';
import type { FaultOf } from '../faults/schema.ts';
import type { Trace } from '../journal/journal.ts';
import type { PlainResponse } from '../message.ts';
import { Refusal } from '../refusal.ts';

/** A success, with the headers every answer has. */
export function respond(trace: Trace, status: number, body: string): PlainResponse {
  trace.status = status;
  return { status, headers: { 'Content-Type': 'application/json', 'X-Request-Id': trace.requestId }, body };
}

/** The error body and headers of a refusal (clauses 7.1). */
export function refuse(trace: Trace, refusal: Refusal, language: Language, codeOf: CodeOf): PlainResponse {
  const error = codeOf(refusal.code);
  trace.error = error;
  const body = JSON.stringify({ error, message: refusal.message(language) });
  const response = respond(trace, refusal.status, body);
  return { ...response, headers: { ...response.headers, ...refusal.headers } };
}

/** The code that answers have for one of the catalogue. */
export type CodeOf = (code: ErrorCode) => string;

/** The usual code of a status; an unexpected error where it has none. */
const usualCode = (status: number): ErrorCode =>
  errorCodes.find((code) => errorCatalogue[code].statuses[0] === status) ?? 'INTERNAL_ERROR';

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code);

/** The answer an armed fault gives instead of the service. */
export function respondFault(
  trace: Trace,
  fault: FaultOf<'respond'>,
  language: Language,
  codeOf: CodeOf,
): PlainResponse {
  const usual = usualCode(fault.status);
  const error = fault.error ?? codeOf(usual);
  trace.error = error;
  const message = errorMessage(isKnown(error) ? error : usual, language);
  const response = respond(trace, fault.status, JSON.stringify({ error, message }));
  if (fault.retryAfter === undefined) return response;
  return { ...response, headers: { ...response.headers, 'Retry-After': String(fault.retryAfter) } };
}

/** What went wrong in the mock itself, or was made to: 500 or 502. */
export const failure = (status: 500 | 502): Refusal =>
  new Refusal(status === 502 ? 'RUNTIME_UNAVAILABLE' : 'INTERNAL_ERROR');
