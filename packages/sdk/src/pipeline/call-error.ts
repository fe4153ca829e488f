import { type ErrorDetails, OrgChatError } from '../errors/base.ts';
import {
  findConnectionReason,
  findSystemCode,
  formatRequest,
  intentKnown,
  joinParts,
  knownIntentText,
} from '../errors/create-errors.ts';
import { AbortedError, ConnectionError, DeadlineError, ServerError } from '../errors/no-usable-answer.ts';
import { OutcomeUnknownError, UncertainOperationError } from '../errors/outcome-unknown.ts';
import type { Redactor } from '../errors/redact.ts';
import {
  AuthenticationError,
  ConflictError,
  InputConflictError,
  InvalidInputError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  StaleRevisionError,
} from '../errors/refused.ts';
import type { OperationName } from '../generated/endpoints.ts';
import { runHere } from '../results/call-site.ts';
import type { Answer, CallOutcome } from '../retry/classify.ts';
import type { ApiRequest } from './api-request.ts';
import type { AttemptResult, CallContext } from './call-context.ts';

/** What an error says beside the last answer of a call. */
export interface ErrorContext {
  readonly operationId?: string | undefined;
  readonly attempts?: number;
  readonly retryAt?: Date | undefined;
}

/** What an error needs to know of the call that ended with it. */
export interface FailedCall extends Pick<CallContext<unknown>, 'client' | 'resume'> {
  readonly request: Pick<ApiRequest<unknown>, 'endpoint' | 'kind' | 'method' | 'path' | 'subject'>;
}

type ErrorClass = new (message: string, details: ErrorDetails) => OrgChatError;

/** The class of an error by the kind of the answer. */
const classesByAnswer: Readonly<Partial<Record<Answer, ErrorClass>>> = {
  '404 foreign': ServerError,
  '404 runtimeUnavailable': ServerError,
  '409 staleRevision': StaleRevisionError,
  '409 inputConflict': InputConflictError,
  '409 intentKnown': InputConflictError,
  'not-applied': OrgChatError,
};

const classesByStatus: Readonly<Record<number, ErrorClass>> = {
  400: InvalidInputError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  408: ServerError,
  409: ConflictError,
  410: ServerError,
  429: RateLimitError,
};

/** Something in this process broke during a call. */
export const unexpectedFailure = 'UNEXPECTED_FAILURE';

/** The class of an error by the code of this package. */
const classesByOwnCode: Readonly<Record<string, ErrorClass>> = {
  INVALID_RESPONSE: ServerError,
  RESPONSE_TOO_LARGE: ServerError,
  ABORTED: AbortedError,
  DEADLINE_EXCEEDED: DeadlineError,
  OPERATION_IN_FLIGHT: ConflictError,
  PACING_FAILED: OrgChatError,
  NOT_RESUMABLE: OrgChatError,
  [unexpectedFailure]: OrgChatError,
};

/** Finds the class of an error. Only kinds and statuses decide, never the code that a server sends. */
function findErrorClass(endpoint: OperationName, { answer, status = 0, code }: AttemptResult): ErrorClass {
  if (isNotServed(endpoint, status)) return ServerError;
  // Without a status, or with one of success, the code is one of this package.
  const own = status < 300 ? classesByOwnCode[`${code}`] : undefined;
  return (
    own ??
    classesByAnswer[answer] ??
    classesByStatus[status] ??
    (status >= 500 ? ServerError : status < 400 ? ConnectionError : OrgChatError)
  );
}

/** Whether an answer says that there is no such path: the contract has no 404 for the account of a key. */
function isNotServed(endpoint: OperationName, status: number | undefined): boolean {
  return endpoint === 'getAccount' && status === 404;
}

/** Copies headers without cookies and without the API key. */
function copyHeaders(headers: Headers | undefined, redactor: Redactor): Headers | undefined {
  if (!headers) return undefined;
  try {
    const copy = new Headers();
    for (const [name, value] of headers) if (name !== 'set-cookie') copy.append(name, redactor.text(value));
    return copy;
  } catch {
    // The answer of a `fetch` of the caller need not have real headers. They must not hide what happened to a write.
    return undefined;
  }
}

/** Creates the error for a call that was not answered, not applied or not settled. `hint` says what else can be done. */
export function createCallError(
  { client, request, resume }: FailedCall,
  result: AttemptResult,
  outcome: CallOutcome,
  around: ErrorContext,
  hint?: string,
): OrgChatError {
  const { answer, status, versions, requestId, waitingFor, bodyStart } = result;
  const { redactor, serverHost } = client;
  const { operationId } = around;
  const cause = redactor.cause(result.cause);
  const systemCode = findSystemCode(cause);
  const code = redactor.text(result.code ?? `HTTP_${status}`);
  const isMissing = isNotServed(request.endpoint, status);
  const serverMessage = redactor.text(result.serverMessage);
  const details = {
    ...around,
    operation: request.endpoint,
    waitingFor,
    code,
    reason: noAnswerCodes.includes(code) ? findConnectionReason(systemCode) : undefined,
    systemCode,
    // Its code would say that a record is missing.
    meaning: isMissing ? undefined : result.meaning,
    versions,
    cause,
    status,
    requestId,
    serverMessage,
    outcome: request.kind === 'read' ? undefined : outcome,
    headers: copyHeaders(result.headers, redactor),
    // An empty body begins with nothing.
    bodyStart: bodyStart || undefined,
  };
  const said = describeResult(result, code, serverMessage, serverHost);
  const what = isMissing ? joinParts(said, checkBaseUrl) : said;
  const where = formatRequest(request, status, code, systemCode);
  const before = outcome === 'applied' ? `An earlier call applied operation ${operationId}.` : undefined;
  const error = new (findErrorClass(request.endpoint, result))(joinParts(before, what, hint, where), details);
  if (outcome !== 'unknown') return error;
  const open = `Operation ${operationId} may or may not have been applied.`;
  const isIntentKnown = answer === '409 intentKnown';
  const advice = isIntentKnown
    ? knownIntentText
    : resume
      ? 'Call resume() later to find out.'
      : 'Check the keywords of the site.';
  const message = joinParts(open, what, advice, hint, where);
  const more = {
    ...details,
    // What broke in this process says more than an error about it.
    cause: code === unexpectedFailure ? cause : error,
    // Sent again, it would be answered in the same way.
    resume:
      resume && operationId !== undefined && !isIntentKnown
        ? () => runHere(() => resume(operationId))
        : undefined,
  };
  if (answer === '409 uncertain') return new UncertainOperationError(message, more);
  // The meaning of the last answer is that of the cause: it says nothing about the operation.
  return new OutcomeUnknownError(message, {
    ...more,
    code: 'OUTCOME_UNKNOWN',
    reason: isIntentKnown ? intentKnown : code,
    meaning: undefined,
  });
}

/** Codes that say that there was no answer. */
const noAnswerCodes: readonly string[] = ['CONNECTION_FAILED', 'CONNECTION_LOST', 'BODY_CUT'];

const checkBaseUrl = 'Check the base URL, including its path.';
const notFromApi = 'The answer did not come from this API: its body is not an error document.';

/** What the codes of this package mean, and what to do. */
const descriptions: Readonly<Record<string, string>> = {
  ABORTED: 'The signal aborted the call.',
  BODY_CUT: 'The answer ended before it was complete.',
  CONNECTION_LOST: 'The connection was lost before an answer arrived.',
  INVALID_RESPONSE: 'The response did not come from this API. Check baseUrl.',
  NOT_APPLIED: 'The server did not apply the change.',
  NOT_RESUMABLE: 'A keyword write is never sent twice.',
  REDIRECTED: 'The server redirected the request. Check baseUrl.',
  [unexpectedFailure]: 'Something failed in this process during the call. See the cause.',
};

/** A longer text of the server is cut in messages; `serverMessage` has all of it. */
const maxServerText = 500;

/** Describes the last answer of a call, or why there was none. A status from 400 comes with a code of the server. */
function describeResult(
  { status = 0, detail, bodyStart }: AttemptResult,
  code: string,
  serverMessage: string | undefined,
  serverHost: string,
): string | undefined {
  if (status >= 400 && serverMessage) return `The server answered: ${serverMessage.slice(0, maxServerText)}`;
  if (detail !== undefined) return detail;
  if (bodyStart !== undefined)
    return joinParts(notFromApi, status < 400 ? descriptions[code] : 'See error.bodyStart.');
  if (status >= 400) return 'The server gave no reason.';
  if (code === 'CONNECTION_FAILED')
    return `Could not connect to ${serverHost}. Check baseUrl and the network.`;
  return descriptions[code];
}
