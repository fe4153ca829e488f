import type { AnswerMessage } from '@orgchat/mock-server';
import type { ValidateFunction } from 'ajv';

/** What a document demands of answers, compiled. */
export interface Rules {
  readonly operations: readonly Operation[];
  /** Judges of bodies, each by its `bodyName`. */
  readonly bodies: Readonly<Record<string, ValidateFunction>>;
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** What its paths below the base URL are like. */
  readonly path: RegExp;
}

/** The name of the judge of an answer with this status. */
export const bodyName = (operationId: string, status: number | string): string => `${operationId}_${status}`;
/** The name of the judge of every error. */
export const errorBodyName = 'errorBody';

/** Where the paths of the contract begin. */
const base = '/api/v1';

/** What the mock serves beside the API is not in the document: its control, itself, and the document. */
export function isBeside({ method, path }: AnswerMessage): boolean {
  if (path === null) return false;
  return path.startsWith('/_mock/') || (method === 'GET' && ['', '/', '/openapi.yaml'].includes(path));
}

/** Statuses for what is not even an HTTP request: malformed, too slow, too large. */
const malformedStatuses: readonly number[] = [400, 408, 413, 431];

/** What is wrong with an answer by the document, where anything is: status declared, body valid, headers there. */
export function problemOf(rules: Rules, answer: AnswerMessage): string | undefined {
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
      ? problemOfBody(rules, errorBodyName, body)
      : 'no answer to what is not HTTP';
  }
  const known = rules.operations.filter((one) => fits(one, path));
  const operation = known.find((one) => one.method === method);
  if (operation === undefined) {
    // What is no operation is answered in the error body all the same (D1).
    const expected = known.length === 0 ? 404 : 405;
    if (status !== expected) return `no operation, which is ${expected}`;
    if (status === 405 && headers.get('allow') !== known.map((one) => one.method).join(', '))
      return 'no Allow';
    return problemOfBody(rules, errorBodyName, body);
  }
  const name = bodyName(operation.operationId, status);
  if (name in rules.bodies) return problemOfBody(rules, name, body);
  // Only a fault that was armed for it gives another status, and even then an error.
  if (fault === 'undeclared') return problemOfBody(rules, errorBodyName, body);
  return `${operation.operationId} does not declare this status`;
}

/** What is not percent-encoded UTF-8 names nothing. */
function fits({ path: pattern }: Operation, path: string): boolean {
  try {
    decodeURIComponent(path);
  } catch {
    return false;
  }
  return path.startsWith(base) && pattern.test(path.slice(base.length));
}

function problemOfBody({ bodies }: Rules, name: string, body: unknown): string | undefined {
  const validate = bodies[name];
  if (validate === undefined) return `the document has no ${name}`;
  if (validate(body)) return undefined;
  const errors = validate.errors ?? [];
  return errors.map(({ instancePath, message }) => `body${instancePath} ${message}`).join('; ');
}
