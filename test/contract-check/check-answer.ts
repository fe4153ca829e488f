import type { AnswerMessage } from '@orgchat/mock-server';
import type { ValidateFunction } from 'ajv';

/** The compiled rules of an OpenAPI document for answers. */
export interface Rules {
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

/** Prefix of the contract's paths. */
const base = '/api/v1';

/** Whether a request is not part of the contract: control API, start page, OpenAPI document. */
export function isOutsideContract({ method, path }: AnswerMessage): boolean {
  if (path === null) return false;
  return path.startsWith('/_mock/') || (method === 'GET' && ['', '/', '/openapi.yaml'].includes(path));
}

/** Statuses for what is not even an HTTP request: malformed, too slow, too large. */
const malformedStatuses: readonly number[] = [400, 408, 413, 431];

/** Returns how an answer violates the document: status, body or headers. Undefined if it does not. */
export function checkAnswer(rules: Rules, answer: AnswerMessage): string | undefined {
  const headers = new Map(Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (!headers.get('x-request-id')) return 'no X-Request-Id';
  if (headers.get('content-type') !== 'application/json') return 'not application/json';
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
  const known = rules.operations.filter((one) => matchesPath(one, path));
  const operation = known.find((one) => one.method === method);
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
function matchesPath({ path: pattern }: Operation, path: string): boolean {
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
