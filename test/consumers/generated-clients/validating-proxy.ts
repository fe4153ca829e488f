import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import * as validator from 'express-openapi-validator';

/** A server between a client and the mock that checks requests and answers with a document. */
export interface ValidatingProxy {
  readonly origin: string;
  /** Answers that the document forbids, and requests that it forbids and the mock accepts. */
  readonly problems: readonly string[];
  /** Number of requests that the document allows, with answers that it allows. */
  readonly passed: () => number;
  readonly close: () => void;
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
    // The validator fills defaults in; the mock gets the body as it was.
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
      apiSpec: document,
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
