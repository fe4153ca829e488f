import type { ValidateFunction } from 'ajv';
import { document, validator } from '../../spec/testing/document.ts';

/** Where the paths of the contract begin, whatever stands before: a host, a sandbox. */
const base = '/api/v1';

interface Judge {
  readonly operationId: string;
  readonly path: RegExp;
  readonly method: string;
  /** One judge of the body for each status the operation declares. */
  readonly bodies: ReadonlyMap<number, ValidateFunction>;
}

/** A piece of a JSON pointer in a URI fragment. */
const piece = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

const judges: readonly Judge[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    operationId: operation.operationId,
    path: new RegExp(`${base}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    method: method.toUpperCase(),
    bodies: new Map(
      Object.entries(operation.responses).map(([status, response]) => {
        const place = response.$ref ?? `#/paths/${piece(path)}/${method}/responses/${status}`;
        return [Number(status), validator(`${place}/content/${piece('application/json')}/schema`)] as const;
      }),
    ),
  })),
);

const errorBody = validator('#/components/schemas/ErrorBody');

/** An answer that the document does not allow. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Holds one answer to spec/openapi.yaml: status declared, body valid, `X-Request-Id` there. */
export function judge(method: string, url: string, status: number, headers: Headers, text: string): void {
  const { pathname } = new URL(url);
  const violated = (why: string): never => {
    throw new Violation(`${method} ${pathname} → ${status}: ${why}\n${text.slice(0, 2_000)}`);
  };
  if (!headers.get('x-request-id')) violated('no X-Request-Id');
  if (headers.get('content-type') !== 'application/json') violated('not application/json');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    violated('the body is not JSON');
  }
  const operation = judges.find((one) => one.method === method && one.path.test(pathname));
  // What is no operation is answered in the error body all the same (D1).
  if (operation === undefined) {
    if (status !== 404 && status !== 405) violated('an answer to what is no operation');
    if (!errorBody(body)) violated(`no error body: ${JSON.stringify(errorBody.errors)}`);
    return;
  }
  const validate = operation.bodies.get(status);
  if (validate === undefined) violated(`${operation.operationId} does not declare this status`);
  else if (!validate(body)) violated(JSON.stringify(validate.errors));
}

/** What `fetch` answered, and its body, read for the judge and still there to be read. */
function again(response: Response, text: string): Response {
  const { status, statusText, headers } = response;
  return new Response(text, { status, statusText, headers });
}

/**
 * A `fetch` in whose answers nothing is undeclared: it rejects with a `Violation` where an answer of the API breaks
 * spec/openapi.yaml. Answers of other paths, such as those of the control API, pass; a body that breaks off is
 * no answer and passes too.
 */
export function judged(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url } = request;
    const response = await fetch(request);
    if (!new URL(url).pathname.includes(`${base}/`)) return response;
    const copy = response.clone();
    let text: string;
    try {
      text = await copy.text();
    } catch {
      return response;
    }
    judge(method, url, response.status, response.headers, text);
    return again(response, text);
  };
}
