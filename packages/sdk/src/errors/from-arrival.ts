import type { Answer, Outcome } from '../classify.ts';
import type { Arrival, Pursuit } from '../pursuit.ts';
import type { Redactor } from '../redact.ts';
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
import { explainUnknownCode } from './unknown-code.ts';

/** What surrounds the last answer of a call. */
export interface Circumstances {
  readonly operationId?: string | undefined;
  readonly attempts?: number;
  readonly retryAt?: Date | undefined;
}

/** What an error says of the call that ended with it. */
interface Failed extends Pick<Pursuit<unknown>, 'core' | 'resume'> {
  readonly request: Pick<ApiRequest<unknown>, 'kind' | 'method' | 'path' | 'subject'>;
}

type ErrorClass = new (message: string, details: ErrorDetails) => OrgChatError;

/** By the word for an answer. */
const byAnswer: Readonly<Partial<Record<Answer, ErrorClass>>> = {
  '409 staleRevision': StaleRevisionError,
  '409 inputConflict': InputConflictError,
  '5xx': ServerError,
  'not-applied': OrgChatError,
};

const byStatus: Readonly<Record<number, ErrorClass>> = {
  400: InvalidInputError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  408: ServerError,
  409: ConflictError,
  429: RateLimitError,
};

/** By this package's own codes. */
const byOwnCode: Readonly<Record<string, ErrorClass>> = {
  INVALID_RESPONSE: ServerError,
  RESPONSE_TOO_LARGE: ServerError,
  ABORTED: AbortedError,
  DEADLINE_EXCEEDED: DeadlineError,
  OPERATION_IN_FLIGHT: ConflictError,
};

/** Looked up by words and statuses alone, never by what a server may write into its code. */
function classOf({ answer, status = 0, code }: Arrival): ErrorClass {
  // Without a status, or with a good one, the code is one of this package's own.
  const own = status < 300 ? byOwnCode[`${code}`] : undefined;
  return own ?? byAnswer[answer] ?? byStatus[status] ?? (status < 400 ? ConnectionError : OrgChatError);
}

/** The error that says what a call came to. */
export function errorOf(
  { core, request, resume }: Failed,
  arrival: Arrival,
  outcome: Outcome,
  around: Circumstances,
): OrgChatError {
  const { answer, status, code: word = `HTTP_${status}`, meaning, versions, requestId } = arrival;
  const { redactor } = core;
  const cause = redactor.cause(arrival.cause);
  const code = redactor.text(word);
  const subject = request.subject ? ` (${request.subject})` : '';
  const call = `${request.method} ${request.path}${subject}`;
  const what = `${status ? `${status} ` : ''}${code}${explain(word, status)}${systemCode(cause)}${arrival.detail ? `: ${arrival.detail}` : ''}`;
  const hint = hintOf(request, arrival, redactor);
  const serverMessage = redactor.text(arrival.serverMessage);
  const { waitingFor } = arrival;
  const details = { ...around, waitingFor, code, meaning, versions, cause, status, requestId, serverMessage };
  const error = new (classOf(arrival))(`${call}: ${hint ?? what}`, details);
  if (outcome !== 'unknown') return error;
  const means = resume ? 'resume() asks again' : "check the site's keywords";
  const { operationId = '' } = around;
  const advice = `operation ${operationId} may or may not be applied; ${means}`;
  const message = `${call}: ${what}: ${advice}${hint ? `. ${hint}` : ''}`;
  const more = { ...details, cause: error, resume: resume && (() => resume(operationId)) };
  if (answer === '409 uncertain') return new UncertainOperationError(message, more);
  // What the last answer means is the cause's to say: it does not speak of the operation.
  const open = { code: 'OUTCOME_UNKNOWN', reason: code, meaning: undefined };
  return new OutcomeUnknownError(message, { ...more, ...open });
}

/** What this package adds to codes of its own. */
const explanations = new Map([
  ['REDIRECTED', ': check baseUrl'],
  ['NOT_APPLIED', ': the server answered that it did not apply the change'],
]);

/** An explanation of a code of this package; a status from 400 comes with a code of the server, which may be any word. */
function explain(code: string, status = 0): string {
  return (status < 400 && explanations.get(code)) || '';
}

/** How to configure a code of the server that is not known, if something depends on it. */
function hintOf(
  { kind, subject = '' }: Failed['request'],
  { status = 0, code, meaning, versions }: Arrival,
  redactor: Redactor,
): string | undefined {
  if (kind !== 'change' && status !== 429) return undefined;
  const isGuarded = !/^(create|enroll)-/.test(subject);
  // What a read proved is not what the code is known to mean.
  const known = versions ? undefined : meaning;
  return explainUnknownCode({ status, code: redactor.text(code), meaning: known }, isGuarded);
}

/** The word of the system in the chain of causes, such as ECONNREFUSED; a DOMException has a number there. */
function systemCode(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  return 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : systemCode(cause.cause);
}
