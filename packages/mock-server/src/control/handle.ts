import { listNames } from '@orgchat/spec';
import { DataFileError } from '../data-file/data-file.ts';
import { Body, isOversized } from '../http/body.ts';
import type { AdapterAction, PlainRequest, PlainResponse } from '../http/message.ts';
import { sameOriginHeaders } from '../http/message.ts';
import type { Mock } from '../mock-interface.ts';
import { formatNumber, maxBodyBytes, stateBytes } from '../mock-limits.ts';
import { ApiError } from '../request/api-error.ts';
import { SeedError } from '../seed/error.ts';
import { guardControl } from './guard.ts';
import { ControlError, invalid, notFound } from './input.ts';
import { type ControlRoute, controlRoutes } from './routes.ts';

interface MatchedRoute {
  readonly route: ControlRoute;
  readonly parameters: readonly string[];
}

const patterns = controlRoutes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
}));

function findRoute(method: string, path: string): MatchedRoute {
  const matching = patterns.filter(({ pattern }) => pattern.test(path));
  const matched = matching.find(({ route }) => route.method === method);
  if (matched !== undefined) {
    const parameters = (matched.pattern.exec(path) ?? []).slice(1).map(decode);
    return { route: matched.route, parameters };
  }
  if (matching.length === 0) throw notFound(`control call ${path}`, `Calls: ${listPaths()}.`);
  const allowed = matching.map(({ route }) => route.method).join(', ');
  throw new ControlError(405, 'METHOD_NOT_ALLOWED', `${path} does not accept ${method}. Use ${allowed}.`);
}

/** The paths of all control calls, each once. */
const listPaths = (): string => [...new Set(controlRoutes.map((route) => route.path))].join(', ');

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    throw notFound(`control call with ${piece}`);
  }
}

/** The JSON object of a body, or an empty object if there is no body. An unreadable body is an error. */
function readBody(request: PlainRequest, { bodyBytes }: ControlRoute): object {
  const isEmpty = typeof request.body === 'string' ? request.body === '' : request.body.byteLength === 0;
  if (isEmpty && request.oversized !== true) return {};
  const maxBytes = bodyBytes ?? maxBodyBytes;
  if (isOversized(request, maxBytes)) throw bodyTooLarge(maxBytes);
  const body = new Body(request, maxBytes).read();
  if (bodyBytes === undefined && Object.keys(body).length > 0) {
    throw invalid('This call does not accept a body. Send the request without a body.');
  }
  return body;
}

function bodyTooLarge(maxBytes: number): ControlError {
  const advice =
    maxBytes === stateBytes
      ? 'Start a server with this state instead: orgchat mock start --seed FILE.'
      : `Only PUT /state and POST /sandboxes accept more, up to ${formatNumber(stateBytes)} bytes.`;
  const message = `The body is larger than ${formatNumber(maxBytes)} bytes, the maximum for this call. ${advice}`;
  return new ControlError(413, 'BODY_TOO_LARGE', message, { maxBytes });
}

function checkQuery({ query }: PlainRequest): void {
  const names = [...new Set(new URLSearchParams(query).keys())];
  if (names.length === 0) return;
  throw invalid(`Unknown query parameters: ${listNames(names)}. This call does not accept query parameters.`);
}

/** The JSON of an answer; throws a `ControlError` 409 if it exceeds the maximum size of the call. */
function serialize(value: unknown, { path, answerBytes }: ControlRoute): string {
  if (answerBytes === undefined) return JSON.stringify(value);
  const text = stringifyWithin(value);
  if (text !== undefined && Buffer.byteLength(text) <= answerBytes) return text;
  throw new ControlError(
    409,
    'STATE_TOO_LARGE',
    `The answer to GET ${path} would be larger than ${formatNumber(answerBytes)} bytes, the maximum that PUT ${path} accepts. Use a smaller seed, or keep the state in a data file: orgchat mock start --data FILE.`,
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

/** The maximum size of a request's body: `maxBodyBytes` unless the call accepts more. */
export function controlBodyLimit(request: PlainRequest, path: string): number {
  try {
    guardControl(request, path);
    return findRoute(request.method, path).route.bodyBytes ?? maxBodyBytes;
  } catch {
    // handleControl() reports the problem.
    return maxBodyBytes;
  }
}

const createHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'application/json',
  'X-Request-Id': requestId,
  ...sameOriginHeaders,
});

/** Answers a call of the control API; an error has the error body of the API. */
export function handleControl(
  mock: Mock,
  request: PlainRequest,
  path: string,
  requestId: string,
): AdapterAction {
  const answer = (status: number, body: string): AdapterAction => ({
    kind: 'answer',
    response: { status, headers: createHeaders(requestId), body } satisfies PlainResponse,
  });
  try {
    guardControl(request, path);
    const { route, parameters } = findRoute(request.method, path);
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
  if (thrown instanceof ApiError) return new ControlError(thrown.status, thrown.code, thrown.message('en'));
  throw thrown;
}
