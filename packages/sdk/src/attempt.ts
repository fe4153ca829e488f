import { answerOf } from './classify.ts';
import type { Core } from './core.ts';
import { openFreshConnection, unrepeatable } from './fresh-connection.ts';
import type { Arrival, Pursuit } from './pursuit.ts';
import { BodyTooLargeError, readBody } from './read-body.ts';
import type { ApiRequest } from './request.ts';
import { isLasting, provablyUnsent } from './unsent.ts';

/** One request and its whole answer, body included; it ends at once with the attempt's time or the call. */
export async function attempt<T>({ core, request, body, limits, patience }: Pursuit<T>): Promise<Arrival<T>> {
  // A platform's fetch refuses to be called as a method of anything else.
  const { fetch: own } = core;
  const abort = new AbortController();
  const { signal } = abort;
  const isOnce = request.kind === 'keywords';
  const connection = isOnce && !own ? openFreshConnection() : undefined;
  let left = false;
  let response: Response | undefined;
  let text = '';
  let arrival = undefined as Arrival<T> | undefined;

  const fetch = async (sent: Request): Promise<Response> => {
    // The global one is looked up at each call: test tools replace it after a client was made.
    const answer = own ? own(sent) : globalThis.fetch(sent, { signal, ...connection?.init });
    // A `fetch` that throws instead of rejecting has sent nothing.
    left = true;
    response = await answer;
    text = await readBody(response, limits.maxResponseBytes, signal);
    // openapi-fetch would read a body without a bound, so it gets none.
    return new Response(null, { status: 204 });
  };
  // A signal in a Request costs much: fetch() has every Request follow another one of its own.
  const sent = isOnce && body !== undefined && !connection?.isFresh ? unrepeatable(body) : { body };
  const init = { ...sent, signal: own && signal, fetch };
  const answered = core
    .transport()(request.method, request.path, init)
    .then(
      () => {
        arrival = answerIn(core, request, response, text);
      },
      (cause: unknown) => {
        arrival = failure(cause, left, response);
      },
    );
  if (connection) answered.finally(connection.close);
  const stop = await patience.sleep(limits.attemptTimeoutMs, answered);
  if (!arrival) {
    abort.abort();
    return stop ? { answer: 'interrupted', ...stop } : { answer: 'lost', code: 'ATTEMPT_TIMEOUT' };
  }
  const { status, headers } = response ?? {};
  const requestId = core.redactor.text(headers?.get('x-request-id') ?? undefined);
  return Object.assign(arrival, { status, headers, requestId });
}

function answerIn<T>(
  core: Core,
  request: ApiRequest<T>,
  { ok, status }: Pick<Response, 'ok' | 'status'> = { ok: false, status: 0 },
  text: string,
): Arrival<T> {
  return ok ? promised(request, text) : refusal(core, status, text);
}

/** A 2xx counts only when it is, in full, what the contract promises. */
function promised<T>({ isPromised, isApplied }: ApiRequest<T>, body: string): Arrival<T> {
  let cause: unknown;
  try {
    const value: unknown = JSON.parse(body);
    if (isPromised(value)) {
      return isApplied?.(value) === false
        ? { answer: 'not-applied', code: 'NOT_APPLIED' }
        : { answer: 'ok', value };
    }
  } catch (error) {
    cause = error;
  }
  return { answer: 'unreadable', code: 'INVALID_RESPONSE', cause };
}

/** The value that a text is the JSON of; undefined if it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal({ findMeaning }: Core, status: number, body: string): Arrival<never> {
  const { error, message } = Object(parseJson(body)) as Record<string, unknown>;
  // Anything else than this API's error body, such as a proxy's page, has no code.
  const isOurs = typeof error === 'string' && typeof message === 'string';
  const [code, serverMessage] = isOurs ? [error, message] : [];
  if (status < 400) return { answer: answerOf(status), code: 'REDIRECTED', serverMessage };
  const meaning = findMeaning(status, code);
  return { answer: answerOf(status, meaning), code, meaning, serverMessage };
}

function failure(cause: unknown, left: boolean, response: Response | undefined): Arrival<never> {
  const detail = cause instanceof BodyTooLargeError ? cause.message : undefined;
  if (response?.ok) {
    return detail
      ? { answer: 'too-large', code: 'RESPONSE_TOO_LARGE', detail }
      : { answer: 'unreadable', code: 'BODY_CUT', cause };
  }
  // An error status says enough even if its body did not arrive.
  if (response) return { answer: answerOf(response.status), detail, cause };
  if (left && !provablyUnsent(cause)) return { answer: 'lost', code: 'CONNECTION_LOST', cause };
  return {
    answer: left && !isLasting(cause) ? 'unsent' : 'unsendable',
    code: 'CONNECTION_FAILED',
    cause,
  };
}
