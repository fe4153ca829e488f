import { limits, listNames } from '@orgchat/spec';
import { DataFileError } from '../durable/file.ts';
import type { Outcome, PlainRequest, PlainResponse } from '../message.ts';
import type { Mock } from '../mock.ts';
import { notForPages } from '../page-headers.ts';
import { Refusal } from '../refusal.ts';
import { SeedError } from '../seed/error.ts';
import { Body, isOversized } from '../steps/body.ts';
import { guardControl } from './guard.ts';
import { ControlError, invalid, notFound } from './input.ts';
import { grouped, stateBytes } from './limits.ts';
import { type ControlRoute, controlRoutes } from './routes.ts';

interface Found {
  readonly route: ControlRoute;
  readonly parameters: readonly string[];
}

const patterns = controlRoutes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
}));

function find(method: string, path: string): Found {
  const fitting = patterns.filter(({ pattern }) => pattern.test(path));
  const chosen = fitting.find(({ route }) => route.method === method);
  if (chosen !== undefined) {
    const parameters = (chosen.pattern.exec(path) ?? []).slice(1).map(decode);
    return { route: chosen.route, parameters };
  }
  if (fitting.length === 0) throw notFound(`control call ${path}`);
  const allowed = fitting.map(({ route }) => route.method).join(', ');
  throw new ControlError(405, 'METHOD_NOT_ALLOWED', `Use ${allowed}.`);
}

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    throw notFound(`control call with ${piece}`);
  }
}

/** The JSON object of a body, or an empty object if there is no body. What cannot be read is never taken for absent. */
function readBody(request: PlainRequest, { bodyBytes }: ControlRoute): object {
  const isEmpty = typeof request.body === 'string' ? request.body === '' : request.body.byteLength === 0;
  if (isEmpty && request.oversized !== true) return {};
  const maxBytes = bodyBytes ?? limits.bodyBytes;
  if (isOversized(request, maxBytes)) throw bodyTooLarge(maxBytes);
  const body = new Body(request, maxBytes).read();
  if (bodyBytes === undefined && Object.keys(body).length > 0) {
    throw invalid('This call takes no body. Send it without one.');
  }
  return body;
}

function bodyTooLarge(maxBytes: number): ControlError {
  const advice =
    maxBytes === stateBytes
      ? 'Start a server with it instead: orgchat mock start --seed FILE.'
      : `Only PUT /state and POST /sandboxes take more, up to ${grouped(stateBytes)} bytes.`;
  const message = `The body is larger than ${grouped(maxBytes)} bytes, the most that this call takes. ${advice}`;
  return new ControlError(413, 'BODY_TOO_LARGE', message, { maxBytes });
}

function checkQuery({ query }: PlainRequest): void {
  const names = [...new Set(new URLSearchParams(query).keys())];
  if (names.length === 0) return;
  throw invalid(`Unknown query parameters: ${listNames(names)}. This call takes none.`);
}

/** The JSON of an answer; throws a `ControlError` 409 if it would be larger than the call may write. */
function serialize(value: unknown, { path, answerBytes }: ControlRoute): string {
  if (answerBytes === undefined) return JSON.stringify(value);
  const text = stringifyWithin(value);
  if (text !== undefined && Buffer.byteLength(text) <= answerBytes) return text;
  throw new ControlError(
    409,
    'STATE_TOO_LARGE',
    `The answer to GET ${path} would be larger than ${grouped(answerBytes)} bytes, the most that PUT ${path} reads. Use a smaller seed, or keep the state in a data file: orgchat mock start --data FILE.`,
    { maxBytes: answerBytes },
  );
}

/** The JSON of a value, or undefined if it is longer than a string can be. */
function stringifyWithin(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The most bytes of a request's body that are worth keeping: `limits.bodyBytes` unless the call may use more. */
export function controlBodyLimit(request: PlainRequest, path: string): number {
  try {
    guardControl(request, path);
    return find(request.method, path).route.bodyBytes ?? limits.bodyBytes;
  } catch {
    // The call itself says what is wrong.
    return limits.bodyBytes;
  }
}

const headersOf = (requestId: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'application/json',
  'X-Request-Id': requestId,
  ...notForPages,
});

/** Answers a call of the control API; an error has the error body of the API. */
export function handleControl(mock: Mock, request: PlainRequest, path: string, requestId: string): Outcome {
  const answer = (status: number, body: string): Outcome => ({
    kind: 'answer',
    response: { status, headers: headersOf(requestId), body } satisfies PlainResponse,
  });
  try {
    guardControl(request, path);
    const { route, parameters } = find(request.method, path);
    checkQuery(request);
    const body = readBody(request, route);
    const value = route.run(mock, { parameters, body, request });
    return answer(route.status ?? 200, serialize(value, route));
  } catch (thrown) {
    const { status, code, message, extra } = toControlError(thrown);
    return answer(status, JSON.stringify({ error: code, message, ...extra }));
  }
}

function toControlError(thrown: unknown): ControlError {
  if (thrown instanceof ControlError) return thrown;
  if (thrown instanceof SeedError) return invalid(thrown.message);
  if (thrown instanceof DataFileError) return new ControlError(500, 'INTERNAL_ERROR', thrown.message);
  if (thrown instanceof Refusal) return new ControlError(thrown.status, thrown.code, thrown.message('en'));
  throw thrown;
}
