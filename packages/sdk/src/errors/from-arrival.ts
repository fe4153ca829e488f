import type { Outcome } from '../classify.ts';
import type { Arrival, Pursuit } from '../pursuit.ts';
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
  INVALID_RESPONSE: ServerError,
  ABORTED: AbortedError,
  DEADLINE_EXCEEDED: DeadlineError,
};

/** Looked up by words and statuses alone, never by what a server may write into its code. */
function classOf({ answer, status = 0, code }: Arrival): ErrorClass {
  // Without a status, or with a good one, the code is one of this package's own.
  const word = status < 300 ? `${code}` : answer;
  return classes[word] ?? classes[status] ?? (status < 400 ? ConnectionError : OrgChatError);
}

/** The error that says what a call came to. */
export function errorOf(
  { core, request, resume }: Pick<Pursuit<unknown>, 'core' | 'request' | 'resume'>,
  arrival: Arrival,
  outcome: Outcome,
  around: Circumstances,
): OrgChatError {
  const { answer, status, code: word = `HTTP_${status}`, requestId, serverMessage } = arrival;
  const { redactor } = core;
  const cause = redactor.cause(arrival.cause);
  const code = redactor.text(word);
  const words = [
    `${request.method} ${request.path}`,
    request.subject && ` (${request.subject})`,
    ': ',
    status && `${status} `,
    code,
    word === 'REDIRECTED' && ': check baseUrl',
    systemCode(cause),
  ];
  const message = words.filter(Boolean).join('');
  const details = { ...around, code, cause, status, requestId, serverMessage: redactor.text(serverMessage) };
  const error = new (classOf(arrival))(message, details);
  if (outcome !== 'unknown') return error;
  const means = resume ? 'resume() asks again' : "check the site's keywords";
  const { operationId = '' } = around;
  const open = `${message}: operation ${operationId} may or may not be applied; ${means}`;
  const more = { ...details, cause: error, resume: resume && (() => resume(operationId)) };
  return answer === '409 OPERATION_UNCERTAIN'
    ? new UncertainOperationError(open, more)
    : new OutcomeUnknownError(open, { ...more, code: 'OUTCOME_UNKNOWN', reason: code });
}

/** The word of the system in the chain of causes, such as ECONNREFUSED; a DOMException has a number there. */
function systemCode(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  return 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : systemCode(cause.cause);
}
