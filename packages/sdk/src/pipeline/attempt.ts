import type { ClientContext } from '../client-context.ts';
import { findSystemCode } from '../errors/create-errors.ts';
import { toAnswer } from '../retry/classify.ts';
import { isErrorDocument } from '../values.ts';
import type { ApiRequest } from './api-request.ts';
import type { AttemptResult, CallContext } from './call-context.ts';
import type { SendableBody } from './fresh-connection.ts';
import { isLasting, isProvablyUnsent, watchBody, watchConnections } from './unsent.ts';

/**
 * What openapi-fetch gets instead of an answer, whose body it would read without a limit. It looks at nothing else, and a
 * real response would have to be made for each request.
 */
const withoutBody = { status: 204, ok: true, headers: new Map() } as unknown as Response;

/** Sends one request and reads its whole answer. Ends when the time of the attempt or the call is over. */
export async function attempt<T>({
  client,
  request,
  body,
  headers: callHeaders,
  callOptions,
  deadline,
}: CallContext<T>): Promise<AttemptResult<T>> {
  // The fetch of a platform must not be called as a method of another object.
  const { fetch: customFetch, fetchOptions } = client;
  watchConnections();
  const abort = new AbortController();
  const { signal } = abort;
  const connection = request.openConnection?.();
  let mayHaveBeenSent = false;
  let response: Response | undefined;
  let text = '';
  let cancelBody: (() => void) | undefined;
  let takeUnread: (() => boolean) | undefined;
  let result = undefined as AttemptResult<T> | undefined;
  let broken: { readonly cause: unknown } | undefined;

  const fetch = async (sent: Request): Promise<Response> => {
    if (customFetch) takeUnread = watchBody(sent);
    // The global fetch is looked up for each request, because test tools replace it after the client was created.
    const answer = customFetch
      ? customFetch(sent)
      : globalThis.fetch(sent, { ...fetchOptions, signal, ...connection?.init });
    // If `fetch` throws instead of rejecting, nothing was sent.
    mayHaveBeenSent = true;
    response = await answer;
    takeUnread = undefined;
    text = await readBody(response, callOptions.maxResponseBytes, (cancel) => {
      cancelBody = cancel;
    });
    return withoutBody;
  };
  // A signal in a Request is expensive: fetch() makes another signal that follows it.
  const sent: Partial<SendableBody> =
    body === undefined ? {} : (request.toUnrepeatable?.(body, connection?.isFresh) ?? { body });
  const headers = sent.headers ? { ...callHeaders, ...sent.headers } : callHeaders;
  const init = { ...sent, body: sent.body, headers, signal: customFetch && signal, fetch };
  const read = (work: () => AttemptResult<T>): void => {
    try {
      result = work();
    } catch (cause) {
      broken = { cause };
    }
  };
  const answered = client
    .transport()(request.method, request.path, init)
    .then(
      () => read(() => readAnswer(client, request, response, text)),
      (cause: unknown) => read(() => readFailure(client, cause, mayHaveBeenSent, response, takeUnread?.())),
    );
  if (connection) answered.finally(connection.close);
  const callEnd = await deadline.sleep(callOptions.attemptTimeoutMs, answered);
  if (broken) throw broken.cause;
  if (!result) {
    abort.abort();
    // A fetch of the caller may not end a body when its request is aborted.
    cancelBody?.();
    if (callEnd) return { answer: 'interrupted', ...callEnd };
    const detail = `No answer arrived within ${callOptions.attemptTimeoutMs} ms. To wait longer, raise attemptTimeoutMs.`;
    return { answer: 'lost', code: 'ATTEMPT_TIMEOUT', detail };
  }
  const { status, headers: answerHeaders } = response ?? {};
  const requestId = client.redactor.text(answerHeaders?.get('x-request-id')?.trim());
  return Object.assign(result, { status, headers: answerHeaders, requestId });
}

/** An answer has more bytes than `maxResponseBytes`. */
class BodyTooLargeError extends Error {
  readonly code = 'RESPONSE_TOO_LARGE';

  constructor(maxBytes: number) {
    super(`The answer has more than ${maxBytes} bytes. To read larger answers, raise maxResponseBytes.`);
  }
}

/** Reads a body as text, as far as `maxBytes` after decompression; rejects with a `BodyTooLargeError` beyond that. */
async function readBody(
  response: Response,
  maxBytes: number,
  onStart: (cancel: () => void) => void,
): Promise<string> {
  const { body } = response;
  // The answer of a caller's own fetch may have nothing other than text().
  if (typeof body?.getReader !== 'function') {
    const text = body === null ? '' : await response.text();
    if (new TextEncoder().encode(text).length > maxBytes) throw new BodyTooLargeError(maxBytes);
    return text;
  }
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  onStart(cancel);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return decode(chunks, bytes);
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      cancel();
      throw new BodyTooLargeError(maxBytes);
    }
    // The stream of a caller's own fetch may use one buffer for all chunks.
    chunks.push(value.slice());
  }
}

/** Decodes a body at once, which is much faster than one chunk after the other. */
function decode([first, ...others]: readonly Uint8Array[], bytes: number): string {
  if (!first) return '';
  let all = first;
  if (others.length > 0) {
    all = new Uint8Array(bytes);
    let length = 0;
    for (const chunk of [first, ...others]) {
      all.set(chunk, length);
      length += chunk.byteLength;
    }
  }
  return new TextDecoder().decode(all);
}

function readAnswer<T>(
  client: ClientContext,
  request: ApiRequest<T>,
  { ok, status }: Pick<Response, 'ok' | 'status'> = { ok: false, status: 0 },
  text: string,
): AttemptResult<T> {
  return ok ? readSuccess(request, text) : readRefusal(client, status, text);
}

const errorWithSuccess =
  'The server answered with an error document and the status of a success, so the answer proves nothing. Report that to those who run the server.';

/** Reads a 2xx answer, which counts only if all of it is what the contract promises. */
function readSuccess<T>({ matchesContract, isApplied }: ApiRequest<T>, body: string): AttemptResult<T> {
  const value = parseJson(body);
  if (!matchesContract(value)) {
    // The error of JSON.parse quotes the body, which may have data of records.
    const cause = value === undefined ? new SyntaxError('The body is not valid JSON.') : undefined;
    const said = isErrorDocument(value) && { serverMessage: value.message, detail: errorWithSuccess };
    return { answer: 'unreadable', code: 'INVALID_RESPONSE', cause, ...said };
  }
  return isApplied?.(value) === false
    ? { answer: 'not-applied', code: 'NOT_APPLIED' }
    : { answer: 'ok', value };
}

/** How much of a body that is not from this API an error shows, in characters. */
const maxBodyStart = 200;

/** Parses JSON; undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readRefusal(
  { findMeaning, redactor }: ClientContext,
  status: number,
  body: string,
): AttemptResult<never> {
  const { error, message } = Object(parseJson(body)) as Record<string, unknown>;
  // Any other body, such as the page of a proxy, has no code.
  const isOurs = typeof error === 'string' && typeof message === 'string';
  if (!isOurs) {
    // The key is removed first, so that the cut leaves no part of it; nor does it leave half a character.
    const bodyStart = redactor
      .text(body)
      .slice(0, maxBodyStart)
      .replace(/[\ud800-\udbff]$/, '');
    return { ...toForeignAnswer(status), bodyStart };
  }
  if (status < 400) return { answer: toAnswer(status), code: 'REDIRECTED', serverMessage: message };
  const meaning = findMeaning(status, error);
  return { answer: toAnswer(status, meaning), code: error, meaning, serverMessage: message };
}

/** The answer of a status without an error document of this API. */
function toForeignAnswer(status: number): AttemptResult<never> {
  if (status === 404) return { answer: '404 foreign', code: 'INVALID_RESPONSE' };
  return { answer: toAnswer(status), code: status < 400 ? 'REDIRECTED' : undefined };
}

function readFailure(
  { fetchOptions }: ClientContext,
  cause: unknown,
  mayHaveBeenSent: boolean,
  response: Response | undefined,
  isUnread = false,
): AttemptResult<never> {
  const detail = cause instanceof BodyTooLargeError ? cause.message : undefined;
  if (response?.ok) {
    return detail
      ? { answer: 'too-large', code: 'RESPONSE_TOO_LARGE', detail }
      : { answer: 'unreadable', code: 'BODY_CUT', cause };
  }
  // An error status is enough, even if its body did not arrive.
  if (response) return { ...toForeignAnswer(response.status), detail, cause };
  if (mayHaveBeenSent && !isUnread && !isProvablyUnsent(cause))
    return { answer: 'lost', code: 'CONNECTION_LOST', cause };
  return {
    answer: mayHaveBeenSent && !isLasting(cause) ? 'unsent' : 'unsent-permanently',
    code: 'CONNECTION_FAILED',
    detail: isUnread
      ? 'The fetch of the client failed before it sent the request. See its cause.'
      : explainDispatcher(cause, fetchOptions),
    cause,
  };
}

/** Explains why a dispatcher of the caller did not send a request, if it may be one of another undici. */
function explainDispatcher(cause: unknown, fetchOptions: ClientContext['fetchOptions']): string | undefined {
  const isRefused = /^UND_ERR_INVALID_ARG$/.test(findSystemCode(cause) ?? '');
  if (!isRefused || fetchOptions?.dispatcher === undefined) return undefined;
  const { undici } = process.versions;
  return `The dispatcher of fetchOptions refused the request. It has to be made by the same major version of undici as the fetch of this Node, which is ${undici}. See the cause.`;
}
