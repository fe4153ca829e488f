import { listNames } from '@orgchat/spec';
import * as z from 'zod';
import { DataFileError } from '../data-file/data-file-error.ts';
import { EventSubscription } from '../events/event-subscription.ts';
import { ServerSentEvents } from '../events/server-sent-events.ts';
import type { AdapterAction, PlainRequest, PlainResponse } from '../http/message.ts';
import { sameOriginHeaders } from '../http/message.ts';
import { ControlError, invalid, notFound } from '../input-checks/control-error.ts';
import { formatNumber, maxBodyBytes, stateBytes } from '../mock-limits.ts';
import { listAcceptedFields } from '../primitives/accepted-fields.ts';
import { isTooDeep, maxLevels } from '../primitives/bounded-json.ts';
import { byteLength } from '../primitives/platform.ts';
import { ApiError } from '../request/api-error.ts';
import { Body, isOversized } from '../request/body.ts';
import { SeedError } from '../seed/seed-error.ts';
import type { ServedMock } from '../served-mock.ts';
import { type ControlCall, getBodyLimit, makeCall } from './call.ts';
import { controlCalls } from './calls.ts';
import { guardControl } from './guard.ts';

interface Route {
  readonly call: ControlCall;
  readonly pattern: RegExp;
}

interface MatchedRoute extends Route {
  readonly parameters: readonly string[];
}

const routes: readonly Route[] = Object.values<ControlCall>(controlCalls).map((call) => {
  const pattern = call.path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '([^/]+)');
  return { call, pattern: new RegExp(`^${pattern}$`) };
});

function findRoute(method: string, path: string): MatchedRoute {
  const matching = findByPath(path);
  const matched = matching.find(({ call }) => call.method === method);
  if (matched !== undefined) {
    const parameters = (matched.pattern.exec(path) ?? []).slice(1).map(decode);
    return { ...matched, parameters };
  }
  if (matching.length === 0) throw notFound(`control call ${path}`, `Calls: ${listPaths()}.`);
  const allowed = matching.map(({ call }) => call.method).join(', ');
  throw new ControlError(405, 'METHOD_NOT_ALLOWED', `${path} does not accept ${method}. Use ${allowed}.`);
}

/** The calls of a path. A path without a parameter comes before one with a parameter. */
function findByPath(path: string): readonly Route[] {
  const literal = routes.filter(({ call }) => call.path === path);
  return literal.length > 0 ? literal : routes.filter(({ pattern }) => pattern.test(path));
}

/** The paths of all control calls, each once. */
const listPaths = (): string => [...new Set(routes.map(({ call }) => call.path))].join(', ');

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    throw notFound(`control call with ${piece}`);
  }
}

/** The JSON object of a body, or an empty object if there is no body. An unreadable body is an error. */
function readBody(request: PlainRequest, call: ControlCall): object {
  const isEmpty = typeof request.body === 'string' ? request.body === '' : request.body.byteLength === 0;
  if (isEmpty && request.oversized !== true) return {};
  const maxBytes = getBodyLimit(call) ?? maxBodyBytes;
  if (isOversized(request, maxBytes)) throw bodyTooLarge(maxBytes);
  const body = new Body(request, maxBytes);
  if (call.body !== undefined) return readObject(body, call.body);
  if (Object.keys(body.peek() ?? { unreadable: true }).length === 0) return {};
  throw invalid('This call does not accept a body. Send the request without a body.');
}

/** The JSON object of a body. The error of another body says which fields the call accepts. */
function readObject(body: Body, schema: NonNullable<ControlCall['body']>): object {
  try {
    const value = body.read();
    if (isTooDeep(value))
      throw invalid(`The body must have at most ${maxLevels} levels of objects and lists.`);
    return value;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fields = listAcceptedFields(schema(), {});
    const accepted = fields === undefined ? '' : ` with the fields ${fields.join(', ')}`;
    throw invalid(`${error.message('en')} Send a JSON object${accepted}.`);
  }
}

function bodyTooLarge(maxBytes: number): ControlError {
  const advice =
    maxBytes === stateBytes
      ? 'Start a server with this state instead: orgchat mock start --seed FILE.'
      : `Only PUT /state and POST /sandboxes accept more, up to ${formatNumber(stateBytes)} bytes.`;
  const message = `The body is larger than ${formatNumber(maxBytes)} bytes, the maximum for this call. ${advice}`;
  return new ControlError(413, 'BODY_TOO_LARGE', message, { maxBytes });
}

/** The query parameters by name. Throws a `ControlError` 400 if one is unknown or repeated. */
function readQuery({ query: text }: PlainRequest, { query }: ControlCall): Readonly<Record<string, unknown>> {
  if (text === '') return {};
  const parameters = new URLSearchParams(text);
  const names = [...new Set(parameters.keys())];
  const shape = query?.().shape ?? {};
  const accepted = Object.keys(shape);
  const unknown = names.filter((name) => !accepted.includes(name));
  if (unknown.length > 0) {
    const hint =
      accepted.length === 0 ? 'does not accept query parameters' : `accepts ${listNames(accepted)}`;
    throw invalid(`Unknown query parameters: ${listNames(unknown)}. This call ${hint}.`);
  }
  const repeated = names.filter((name) => parameters.getAll(name).length > 1);
  if (repeated.length > 0) throw invalid(`Query parameters must not be repeated: ${listNames(repeated)}.`);
  return Object.fromEntries(
    Array.from(parameters, ([name, value]) => [name, toParameter(value, shape[name])]),
  );
}

/** The text of a parameter, or its number if its schema does not accept a text. */
function toParameter(value: string, schema: z.core.$ZodType | undefined): unknown {
  const isNumber =
    /^-?\d{1,15}$/.test(value) && (schema === undefined || !z.safeParse(schema, value).success);
  return isNumber ? Number(value) : value;
}

/** The JSON of an answer; throws a `ControlError` 409 if it exceeds the maximum size of the call. */
function serialize(value: unknown, { path, answerBytes, text: type }: ControlCall): string {
  if (type !== undefined) return String(value);
  if (answerBytes === undefined) return JSON.stringify(value);
  const text = stringifyWithin(value);
  if (text !== undefined && byteLength(text) <= answerBytes) return text;
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
    return getBodyLimit(findRoute(request.method, path).call) ?? maxBodyBytes;
  } catch {
    // handleControl() reports the problem.
    return maxBodyBytes;
  }
}

const createHeaders = (requestId: string, type = 'application/json'): Readonly<Record<string, string>> => ({
  'Content-Type': type,
  'X-Request-Id': requestId,
  ...sameOriginHeaders,
});

/** Answers a call of the control API; an error has the error body of the API. */
export function handleControl(
  mock: ServedMock,
  request: PlainRequest,
  path: string,
  requestId: string,
): AdapterAction | Promise<AdapterAction> {
  const answer = (status: number, body: string, type?: string): AdapterAction => ({
    kind: 'answer',
    response: { status, headers: createHeaders(requestId, type), body } satisfies PlainResponse,
  });
  const refuse = (thrown: unknown): AdapterAction => {
    if (toControlError(thrown) === undefined) mock.world.rules.onError(thrown);
    return toRefusal(thrown, requestId);
  };
  try {
    guardControl(request, path);
    const { call, parameters } = findRoute(request.method, path);
    const query = readQuery(request, call);
    const body = readBody(request, call);
    const succeed = (value: unknown): AdapterAction =>
      value instanceof EventSubscription
        ? streamEvents(value, requestId, call)
        : answer(call.status ?? 200, serialize(value, call), call.text);
    const value = makeCall(call, mock, { parameters, query, body, request });
    return value instanceof Promise ? value.then(succeed).catch(refuse) : succeed(value);
  } catch (thrown) {
    return refuse(thrown);
  }
}

/** The refusal of a request that the access rules do not allow; undefined if they allow it. */
export function refuseControl(
  request: PlainRequest,
  path: string,
  requestId: string,
): AdapterAction | undefined {
  try {
    guardControl(request, path);
    return undefined;
  } catch (thrown) {
    return toRefusal(thrown, requestId);
  }
}

/** Refuses a call for a reason of the caller's, unless the access rules refuse it already. */
export const refuseWith = (
  error: ControlError,
  request: PlainRequest,
  path: string,
  requestId: string,
): AdapterAction => refuseControl(request, path, requestId) ?? toRefusal(error, requestId);

function toRefusal(thrown: unknown, requestId: string): AdapterAction {
  const { status, code, message, extra } = toControlError(thrown) ?? mockFailed();
  const body = JSON.stringify({ error: code, message, ...extra });
  return { kind: 'answer', response: { status, headers: createHeaders(requestId), body } };
}

/** A proxy must neither keep nor collect the events. */
function streamEvents(
  subscription: EventSubscription,
  requestId: string,
  { text }: ControlCall,
): AdapterAction {
  const headers = {
    ...createHeaders(requestId, text),
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  };
  return { kind: 'stream', response: { status: 200, headers }, stream: new ServerSentEvents(subscription) };
}

const mockFailed = (): ControlError =>
  new ControlError(500, 'INTERNAL_ERROR', 'The mock itself failed; its log has the error.');

/** The error to answer; undefined for an error in the mock itself. */
function toControlError(thrown: unknown): ControlError | undefined {
  if (thrown instanceof ControlError) return thrown;
  if (thrown instanceof SeedError) return invalid(thrown.message);
  if (thrown instanceof DataFileError) return new ControlError(500, 'INTERNAL_ERROR', thrown.message);
  if (thrown instanceof ApiError) return new ControlError(thrown.status, thrown.code, thrown.message('en'));
  return undefined;
}
