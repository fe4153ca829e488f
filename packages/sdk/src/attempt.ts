import { type Answer, answerOf } from './classify.ts';
import type { Core } from './core.ts';
import { delay, type Patience, type Stop } from './deadline.ts';
import type { ApiRequest } from './request.ts';
import { provablyUnsent } from './unsent.ts';

/** What came of an attempt, with everything that is said about it later. */
export interface Arrival<T = unknown> {
  readonly answer: Answer;
  readonly value?: T;
  readonly response?: Response;
  /** The code and the text of an error body. */
  readonly code?: string | undefined;
  readonly serverMessage?: string | undefined;
  /** This package's code and words where there is no error body. */
  readonly problem?: { readonly code: string; readonly text: string };
  readonly stop?: Stop;
  readonly cause?: unknown;
}

/** One request and its whole answer, body included; it ends at once with the attempt's time or the call. */
export function attempt<T>(
  core: Core,
  request: ApiRequest<T>,
  body: string,
  operationId: string,
  attemptTimeoutMs: number,
  patience: Patience,
): Promise<Arrival<T>> {
  return new Promise((resolve) => {
    const abort = new AbortController();
    const { signal } = patience;
    let left = false;
    let response: Response | undefined;

    const finish = (arrival: Arrival<T>): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      resolve(arrival);
    };
    const interrupt = (): void => {
      finish({ answer: 'interrupted', stop: patience.stopped() ?? { by: 'deadline' } });
      abort.abort();
    };
    const giveUp = (): void => {
      finish({
        answer: 'lost',
        problem: { code: 'ATTEMPT_TIMEOUT', text: `no answer in ${attemptTimeoutMs} ms` },
      });
      abort.abort();
    };
    const remaining = patience.remaining();
    const timer =
      remaining > attemptTimeoutMs
        ? setTimeout(giveUp, delay(attemptTimeoutMs))
        : setTimeout(interrupt, delay(remaining));
    signal?.addEventListener('abort', interrupt, { once: true });

    const fetch = async (sent: Request): Promise<Response> => {
      left = true;
      response = await core.fetch(sent);
      return response;
    };
    request.send(core.transport(), body, { parseAs: 'text', signal: abort.signal, fetch }).then(
      (answer) =>
        finish(judge(request, answer.response, answer.response.ok ? answer.data : answer.error, operationId)),
      (cause: unknown) => finish(failed(cause, left, response)),
    );
  });
}

function judge<T>(
  request: ApiRequest<T>,
  response: Response,
  body: unknown,
  operationId: string,
): Arrival<T> {
  if (response.ok) return promised(request, response, body, operationId);
  const { code, message } = errorBody(body);
  const answer = answerOf(response.status, code);
  if (answer === 'moved' || answer === 'redirected') {
    const problem = { code: 'REDIRECTED', text: 'a redirect, which is not followed: check baseUrl' };
    return { answer, response, problem };
  }
  return { answer, response, code, serverMessage: message };
}

/** A 2xx counts only when it is, in full, what the contract promises. */
function promised<T>(
  request: ApiRequest<T>,
  response: Response,
  body: unknown,
  operationId: string,
): Arrival<T> {
  let problem = 'the answer is not the JSON that was promised';
  let cause: unknown;
  try {
    const value = request.read(JSON.parse(typeof body === 'string' ? body : ''), operationId);
    if (value !== undefined) return { answer: 'ok', response, value };
  } catch (error) {
    problem = 'the answer is no JSON';
    cause = error;
  }
  return { answer: 'unreadable', response, problem: { code: 'INVALID_RESPONSE', text: problem }, cause };
}

/** The error body of this API; both undefined where it is anything else, such as a proxy's page. */
function errorBody(body: unknown): { code?: string; message?: string } {
  if (typeof body !== 'object' || body === null || !('error' in body) || !('message' in body)) return {};
  const { error, message } = body;
  return typeof error === 'string' && typeof message === 'string' ? { code: error, message } : {};
}

function failed(cause: unknown, left: boolean, response: Response | undefined): Arrival<never> {
  if (response?.ok) {
    const problem = { code: 'BODY_CUT', text: 'the answer broke off' };
    return { answer: 'unreadable', response, problem, cause };
  }
  // An error status says enough even where its body did not arrive.
  if (response !== undefined) return { answer: answerOf(response.status, undefined), response, cause };
  if (!left || provablyUnsent(cause)) {
    return {
      answer: 'unsent',
      problem: { code: 'CONNECTION_FAILED', text: 'the request could not be sent' },
      cause,
    };
  }
  return {
    answer: 'lost',
    problem: { code: 'CONNECTION_LOST', text: 'the connection broke before the answer' },
    cause,
  };
}
