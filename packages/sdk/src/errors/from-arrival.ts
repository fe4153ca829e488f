import type { Arrival } from '../attempt.ts';
import type { Answer } from '../classify.ts';
import type { Core } from '../core.ts';
import type { ChangeOutcome } from '../outcome.ts';
import type { ApiRequest } from '../request.ts';
import { type ErrorDetails, OrgChatError } from './base.ts';
import { AbortedError, ConnectionError, DeadlineError, ServerError } from './failed.ts';
import {
  AuthenticationError,
  ConflictError,
  InputConflictError,
  InvalidInputError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  StaleRevisionError,
} from './refused.ts';
import { OutcomeUnknownError, UncertainOperationError } from './unknown.ts';

/** What surrounds the last answer of a call. */
export interface Circumstances {
  readonly operationId?: string | undefined;
  readonly attempts?: number;
  readonly retryAt?: Date | undefined;
}

type ErrorClass = new (message: string, details: ErrorDetails) => OrgChatError;

const classes: Readonly<Record<string, ErrorClass>> = {
  400: InvalidInputError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  408: ServerError,
  409: ConflictError,
  429: RateLimitError,
  '409 STALE_REVISION': StaleRevisionError,
  '409 INPUT_CONFLICT': InputConflictError,
  '5xx': ServerError,
  unreadable: ServerError,
  ABORTED: AbortedError,
  DEADLINE_EXCEEDED: DeadlineError,
};

/** Looked up by words and statuses alone, never by what a server may write into its code. */
function classOf({ answer, response, code }: Arrival): ErrorClass {
  const status = response?.status ?? 0;
  if (answer === 'unreadable' && code === 'BODY_CUT') return ConnectionError;
  // Without a response the code is one of this package's own.
  const word = response ? answer : `${code}`;
  return classes[word] ?? classes[status] ?? (status < 400 ? ConnectionError : OrgChatError);
}

/** The error that says what an attempt came to, whatever it means for the operation. */
export function errorOf(
  core: Core,
  request: ApiRequest<unknown>,
  arrival: Arrival,
  around: Circumstances,
): OrgChatError {
  const { response, text } = arrival;
  const cause = core.redactor.cause(arrival.cause);
  const code = core.redactor.text(arrival.code ?? `HTTP_${response?.status}`);
  const words = [
    `${request.method} ${request.path}`,
    request.subject && ` (${request.subject})`,
    ': ',
    response && `${response.status} `,
    code,
    text && `: ${text}`,
    systemCode(cause),
  ];
  const details = {
    ...around,
    code,
    cause,
    status: response?.status,
    requestId: requestId(response),
    serverMessage: arrival.serverMessage && core.redactor.text(arrival.serverMessage),
  };
  return new (classOf(arrival))(words.filter(Boolean).join(''), details);
}

export function requestId(response: Response | undefined): string | undefined {
  return response?.headers.get('x-request-id') ?? undefined;
}

/** The word of the system in the chain of causes, such as ECONNREFUSED. */
function systemCode(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  return 'code' in cause ? ` (${cause.code})` : systemCode(cause.cause);
}

/** The error of a write that may or may not be applied; what is known stands in its cause. */
export function unknownOutcome(
  cause: OrgChatError,
  answer: Answer,
  resume: (() => Promise<ChangeOutcome>) | undefined,
): OutcomeUnknownError {
  const uncertain = answer === '409 OPERATION_UNCERTAIN';
  const type = uncertain ? UncertainOperationError : OutcomeUnknownError;
  const means = resume ? 'resume() asks again' : "check the site's keywords";
  const message = `${cause.message}: operation ${cause.operationId} may or may not be applied; ${means}`;
  return new type(message, { ...cause, code: uncertain ? cause.code : 'OUTCOME_UNKNOWN', cause }, resume);
}
