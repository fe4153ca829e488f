import type { Arrival } from '../attempt.ts';
import type { Core } from '../core.ts';
import type { ChangeOutcome } from '../outcome.ts';
import type { ApiRequest } from '../request.ts';
import type { ErrorDetails } from './base.ts';
import { OrgChatError } from './base.ts';
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
  readonly core: Core;
  readonly request: ApiRequest<unknown>;
  readonly operationId: string | undefined;
  readonly attempts: number;
  readonly retryAt: Date | undefined;
}

type ErrorClass = new (details: ErrorDetails) => OrgChatError;

const byStatus: Record<number, ErrorClass> = {
  400: InvalidInputError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  408: ServerError,
  409: ConflictError,
  429: RateLimitError,
};

function classOf({ answer, response, problem }: Arrival): ErrorClass {
  if (answer === 'stale') return StaleRevisionError;
  if (answer === 'input-conflict') return InputConflictError;
  if (problem?.code === 'INVALID_RESPONSE' || answer === 'server') return ServerError;
  if (problem !== undefined) return ConnectionError;
  return byStatus[response?.status ?? 0] ?? OrgChatError;
}

/** The error that says what an attempt came to, whatever it means for the operation. */
export function errorOf(arrival: Arrival, circumstances: Circumstances): OrgChatError {
  const { core, request, operationId, attempts } = circumstances;
  const where = `${request.method} ${request.path}${request.subject ? ` (${request.subject})` : ''}`;
  const { response, problem, stop } = arrival;
  const shared = {
    status: response?.status,
    requestId: response?.headers.get('x-request-id') ?? undefined,
    operationId,
    attempts,
    retryAt: circumstances.retryAt ?? stop?.retryAt,
    cause: core.redactor.cause(arrival.cause),
  };
  if (stop?.by === 'signal') {
    const cause = core.redactor.cause(stop.reason);
    return new AbortedError({
      ...shared,
      code: 'ABORTED',
      message: `${where}: aborted by the caller`,
      cause,
    });
  }
  if (stop !== undefined) {
    const what = stop.retryAt ? 'the turn in the queue would come after the deadline' : 'the deadline passed';
    return new DeadlineError({ ...shared, code: 'DEADLINE_EXCEEDED', message: `${where}: ${what}` });
  }
  const code = core.redactor.text(arrival.code ?? problem?.code ?? `HTTP_${response?.status}`);
  const said = arrival.serverMessage === undefined ? undefined : core.redactor.text(arrival.serverMessage);
  const status = response === undefined ? '' : `${response.status} `;
  const words = problem === undefined ? '' : `: ${problem.text}`;
  const reason = reasonOf(shared.cause);
  const message = `${where}: ${status}${code}${words}${reason}`;
  return new (classOf(arrival))({ ...shared, code, message, serverMessage: said });
}

/** The word of the system in the chain of causes, such as ECONNREFUSED. */
function reasonOf(cause: unknown, depth = 3): string {
  if (!(cause instanceof Error) || depth === 0) return '';
  if ('code' in cause && typeof cause.code === 'string') return ` (${cause.code})`;
  return reasonOf(cause.cause, depth - 1);
}

/** The error of a write that may or may not be applied; what is known stands in its cause. */
export function unknownOutcome(
  arrival: Arrival,
  circumstances: Circumstances,
  resume: (() => Promise<ChangeOutcome>) | undefined,
): OutcomeUnknownError {
  const cause = errorOf(arrival, circumstances);
  const { status, requestId, operationId, attempts, retryAt, serverMessage } = cause;
  const facts = { status, requestId, operationId, attempts, retryAt, serverMessage, cause };
  if (arrival.answer === 'uncertain') {
    const message = `${cause.message}: the server does not know the outcome of operation ${operationId} and blocks it`;
    return new UncertainOperationError({ ...facts, code: cause.code, message }, resume);
  }
  const means = resume ? 'resume() finishes it' : "check the site's keywords before trying again";
  const message = `${cause.message}: operation ${operationId} may or may not be applied; ${means}`;
  return new OutcomeUnknownError({ ...facts, code: 'OUTCOME_UNKNOWN', message }, resume);
}
