import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import * as validator from 'express-openapi-validator';
import { parse } from 'yaml';

/** A server between a client and the mock that checks requests and answers with a document. */
export interface ValidatingProxy {
  readonly origin: string;
  /** Answers that the document forbids, and requests that it forbids and the mock accepts. */
  readonly problems: readonly string[];
  /** Number of requests that the document allows, with answers that it allows. */
  readonly passed: () => number;
  readonly close: () => void;
}

/** Reads a document without defaults: the validator writes those of each variant of a `oneOf` into the same body. */
function readWithoutDefaults(
  path: string,
): NonNullable<Parameters<typeof validator.middleware>[0]['apiSpec']> {
  return parse(readFileSync(path, 'utf8'), (key: unknown, value: unknown) =>
    key === 'default' && typeof value !== 'object' ? undefined : value,
  );
}

/** Starts a proxy of a server with express-openapi-validator, for a document at a path. */
export async function startValidatingProxy(document: string, target: string): Promise<ValidatingProxy> {
  const problems: string[] = [];
  let passed = 0;
  const bodies = new WeakMap<object, unknown>();
  const send = (request: express.Request): Promise<globalThis.Response> => {
    const { authorization } = request.headers;
    const body = bodies.get(request);
    return fetch(`${target}${request.originalUrl}`, {
      method: request.method,
      headers: {
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const keepBody: RequestHandler = (request, _, next) => {
    // The validator may change a body; the mock gets it as it was.
    if (request.body !== undefined) bodies.set(request, structuredClone(request.body));
    next();
  };
  const forward: RequestHandler = async (request, response) => {
    const answer = await send(request);
    const type = answer.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) await answer.body?.cancel();
    response.status(answer.status).setHeader('X-Request-Id', answer.headers.get('x-request-id') ?? '');
    if (type.startsWith('application/json')) response.json(await answer.json());
    else response.type(type).send(answer.bodyUsed ? '' : await answer.text());
    passed++;
  };
  const refuse: ErrorRequestHandler = async (
    error: Error & { status?: number },
    request,
    response,
    _next,
  ) => {
    const what = `${request.method} ${request.originalUrl}: ${error.message}`;
    if (error.status === undefined || error.status >= 500) {
      problems.push(`answer to ${what}`);
      response.status(500).json({ error: 'INTERNAL_ERROR', message: what });
      return;
    }
    const answer = await send(request);
    if (answer.ok) problems.push(`request that the mock accepts: ${what}`);
    response.status(answer.status).json(await answer.json());
  };
  const app = express();
  app.use(express.json({ limit: '16mb' }), keepBody);
  app.use(
    validator.middleware({
      apiSpec: readWithoutDefaults(document),
      validateRequests: true,
      validateResponses: true,
      validateSecurity: false,
    }) as unknown as RequestHandler[],
  );
  app.use(forward, refuse);
  const server = createServer(app);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    problems,
    passed: () => passed,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
