import type { AnswerMessage } from '@orgchat/mock-server';
import type { ValidateFunction } from 'ajv';

/** The compiled rules of an OpenAPI document for answers. */
export interface Rules {
  /** Prefix of its paths. */
  readonly base: string;
  readonly operations: readonly Operation[];
  /** Body validators by `bodyName`. */
  readonly bodies: Readonly<Record<string, ValidateFunction>>;
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** Matches its paths, relative to the base URL. */
  readonly path: RegExp;
}

/** The name of the validator for an answer with this status. */
export const bodyName = (operationId: string, status: number | string): string => `${operationId}_${status}`;
/** The name of the validator for every error. */
export const errorBodyName = 'errorBody';

const pages = [
  '',
  '/',
  '/openapi.yaml',
  '/openapi-3.0.yaml',
  '/_mock/',
  '/_mock/inspector.js',
  '/_mock/inspector.css',
];

/** Whether a request is not part of either document: the start page, the inspector, and the documents themselves. */
export const isOutsideContract = ({ method, path, status }: AnswerMessage): boolean =>
  path !== null &&
  (method === 'GET' || method === 'HEAD') &&
  (pages.includes(path) ||
    (path === '/_mock' && status === 302) ||
    // A document of the mock; an unknown one is refused as an unknown call is.
    (/^\/_mock\/docs(?:\/|$)/.test(path) && status < 400));

/** Whether a request is one of the control API. */
export const isControl = ({ path }: AnswerMessage): boolean => path?.startsWith('/_mock/') ?? false;

/** Returns how an answer of the control API violates its document. Undefined if it does not. */
export function checkControlAnswer(rules: Rules, answer: AnswerMessage): string | undefined {
  const { method, status, headers, body } = answer;
  if (!headers['X-Request-Id']) return 'no X-Request-Id';
  const known = rules.operations.filter((one) => matchesPath(rules, one, answer.path ?? ''));
  // A path without a parameter comes before one with a parameter.
  const literal = known.filter((one) => !one.path.source.includes('[^/]'));
  const candidates = literal.length > 0 ? literal : known;
  const operation = candidates.find((one) => one.method === method);
  const name = operation === undefined ? errorBodyName : bodyName(operation.operationId, status);
  if (operation === undefined) {
    const expected = candidates.length === 0 ? 404 : 405;
    if (![expected, 401, 403].includes(status)) return `no operation, which is ${expected}`;
  } else if (status < 300 && !(name in rules.bodies)) {
    // What a stream sends later is not part of the answer.
    const type = textTypes[operation.operationId] ?? 'application/yaml; charset=utf-8';
    return headers['Content-Type'] === type ? undefined : `not ${type}`;
  }
  if (!(name in rules.bodies)) return `${operation?.operationId} does not declare this status`;
  return checkBody(rules, name, JSON.parse(body));
}

/** The media types of answers that are texts and not YAML. */
const textTypes: Readonly<Record<string, string>> = {
  getEvents: 'text/event-stream',
  getRequestsText: 'text/plain; charset=utf-8',
};

/** Statuses for what is not even an HTTP request: malformed, too slow, too large. */
const malformedStatuses: readonly number[] = [400, 408, 413, 431];

/** Statuses without a body (RFC 9110), which only a fault sends. */
const bodilessStatuses: readonly number[] = [204, 205, 304];

/** The answers below a sandbox that is gone, or never existed, the refusals of the control API among them. */
const statusesWithoutSandbox: readonly number[] = [401, 403, 404, 410];

/** Returns how an answer violates the document: status, body or headers. Undefined if it does not. */
export function checkAnswer(rules: Rules, answer: AnswerMessage): string | undefined {
  const headers = new Map(Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
  // A described server may number only errors (D96). A test of D78 wants it of all others.
  if (answer.status >= 300 && !headers.get('x-request-id')) return 'no X-Request-Id';
  if (headers.get('content-type') !== 'application/json') return 'not application/json';
  if (answer.fault === 'undeclared' && bodilessStatuses.includes(answer.status))
    return answer.body === '' ? undefined : 'a body with a status that has none';
  let body: unknown;
  try {
    body = JSON.parse(answer.body);
  } catch {
    return 'the body is not JSON';
  }
  const { method, path, status, fault } = answer;
  if (path === null) {
    return malformedStatuses.includes(status)
      ? checkBody(rules, errorBodyName, body)
      : 'no answer to what is not HTTP';
  }
  const known = rules.operations.filter((one) => matchesPath(rules, one, path));
  const operation = known.find((one) => one.method === method);
  if (path.startsWith('/_sandbox/')) {
    if (!statusesWithoutSandbox.includes(status)) return 'no sandbox, which is 404 or 410';
    return checkBody(rules, errorBodyName, body);
  }
  if (operation === undefined) {
    // Unknown paths and methods have the same error body (D1).
    const expected = known.length === 0 ? 404 : 405;
    if (status !== expected) return `no operation, which is ${expected}`;
    if (status === 405 && headers.get('allow') !== known.map((one) => one.method).join(', '))
      return 'no Allow';
    return checkBody(rules, errorBodyName, body);
  }
  const name = bodyName(operation.operationId, status);
  if (name in rules.bodies) return checkBody(rules, name, body);
  // Only a fault with an undeclared status may answer otherwise, and its body must be an error.
  if (fault === 'undeclared') return checkBody(rules, errorBodyName, body);
  return `${operation.operationId} does not declare this status`;
}

/** A path that is not percent-encoded UTF-8 matches nothing. */
function matchesPath({ base }: Rules, { path: pattern }: Operation, path: string): boolean {
  try {
    decodeURIComponent(path);
  } catch {
    return false;
  }
  return path.startsWith(base) && pattern.test(path.slice(base.length));
}

function checkBody({ bodies }: Rules, name: string, body: unknown): string | undefined {
  const validate = bodies[name];
  if (validate === undefined) return `the document has no ${name}`;
  if (validate(body)) return undefined;
  const errors = validate.errors ?? [];
  return errors.map(({ instancePath, message }) => `body${instancePath} ${message}`).join('; ');
}
