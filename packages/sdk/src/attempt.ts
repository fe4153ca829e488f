import { isObject } from './assumed.ts';
import type { Pursuit } from './call.ts';
import { type Answer, answerOf } from './classify.ts';
import { provablyUnsent } from './unsent.ts';

/** What came of an attempt, with everything that is said about it later. */
export interface Arrival<T = unknown> {
  readonly answer: Answer;
  readonly value?: T;
  readonly response?: Response | undefined;
  /** The code of an error body, or one of this package's own with the words for it. */
  readonly code?: string | undefined;
  readonly text?: string;
  readonly serverMessage?: string | undefined;
  /** When another try makes sense, where something else than the answer says so. */
  readonly retryAt?: Date | undefined;
  readonly cause?: unknown;
}

/** One request and its whole answer, body included; it ends at once with the attempt's time or the call. */
export async function attempt<T>({ core, request, body, limits, patience }: Pursuit<T>): Promise<Arrival<T>> {
  const abort = new AbortController();
  let left = false;
  let response: Response | undefined;
  let arrival = undefined as Arrival<T> | undefined;

  const fetch = async (sent: Request): Promise<Response> => {
    left = true;
    response = await core.fetch(sent);
    return response;
  };
  const init = { body: body || undefined, parseAs: 'text', signal: abort.signal, fetch };
  const answered = core
    .transport()(request.method, request.path, init)
    .then(
      ({ data, error, response }) => {
        arrival = response.ok ? promised(request.isPromised, response, data) : refusal(response, error);
      },
      (cause: unknown) => {
        arrival = failure(cause, left, response);
      },
    );
  const stop = await patience.sleep(limits.attemptTimeoutMs, answered);
  if (arrival) return arrival;
  abort.abort();
  return stop ? { answer: 'interrupted', ...stop } : { answer: 'lost', code: 'ATTEMPT_TIMEOUT' };
}

/** A 2xx counts only when it is, in full, what the contract promises. */
function promised<T>(
  isPromised: (answer: unknown) => answer is T,
  response: Response,
  body = '',
): Arrival<T> {
  let cause: unknown;
  try {
    const value: unknown = JSON.parse(body);
    if (isPromised(value)) return { answer: 'ok', response, value };
  } catch (error) {
    cause = error;
  }
  return {
    answer: 'unreadable',
    response,
    code: 'INVALID_RESPONSE',
    text: 'not as promised',
    cause,
  };
}

function refusal(response: Response, body: unknown): Arrival<never> {
  // Anything else, such as a proxy's page, has no code.
  const { error, message } = isObject(body) ? body : {};
  const isOurs = typeof error === 'string' && typeof message === 'string';
  const answer = answerOf(response.status, isOurs ? error : undefined);
  if (response.status < 400)
    return { answer, response, code: 'REDIRECTED', text: 'not followed; check baseUrl' };
  return isOurs ? { answer, response, code: error, serverMessage: message } : { answer, response };
}

function failure(cause: unknown, left: boolean, response: Response | undefined): Arrival<never> {
  if (response?.ok) return { answer: 'unreadable', response, code: 'BODY_CUT', cause };
  // An error status says enough even where its body did not arrive.
  if (response) return { answer: answerOf(response.status, undefined), response, cause };
  const isUnsent = !left || provablyUnsent(cause);
  return {
    answer: isUnsent ? 'unsent' : 'lost',
    code: isUnsent ? 'CONNECTION_FAILED' : 'CONNECTION_LOST',
    cause,
  };
}
