import { isObject } from './assumed.ts';
import type { Pursuit } from './call.ts';
import { type Answer, answerOf } from './classify.ts';
import { delay, type Stop } from './deadline.ts';
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
  readonly stop?: Stop;
  readonly cause?: unknown;
}

/** One request and its whole answer, body included; it ends at once with the attempt's time or the call. */
export function attempt<T>({ core, request, body, limits, patience }: Pursuit<T>): Promise<Arrival<T>> {
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
      // A timer may fire a little before the deadline it was set for.
      const stop = patience.stopped() ?? (isLast ? { code: 'DEADLINE_EXCEEDED' as const } : undefined);
      finish(stop ? { answer: 'interrupted', stop } : { answer: 'lost', code: 'ATTEMPT_TIMEOUT' });
      abort.abort();
    };
    const remaining = patience.remaining();
    const isLast = remaining <= limits.attemptTimeoutMs;
    const timer = setTimeout(interrupt, delay(Math.min(limits.attemptTimeoutMs, remaining)));
    signal?.addEventListener('abort', interrupt, { once: true });

    const fetch = async (sent: Request): Promise<Response> => {
      left = true;
      response = await core.fetch(sent);
      return response;
    };
    request.send(core.transport(), { body, parseAs: 'text', signal: abort.signal, fetch }).then(
      ({ data, error, response }) =>
        finish(response.ok ? promised(request.isPromised, response, data) : refusal(response, error)),
      (cause: unknown) => finish(failure(cause, left, response)),
    );
  });
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
    text: 'not the JSON that was promised',
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
