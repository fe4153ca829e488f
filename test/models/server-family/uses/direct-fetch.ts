import { randomUUID } from 'node:crypto';
import type { Responder } from '../server/start-server.ts';

/** A `fetch` that asks a service of this process, without a connection. Most of the time of a use is in connections. */
export function createDirectFetch(service: Responder): (request: Request) => Promise<Response> {
  return async (request) => {
    const key = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
    const path = new URL(request.url).pathname.replace('/api/v1', '');
    const { status, body, headers } = await service.answer(request.method, path, key, await request.text());
    const isText = typeof body === 'string';
    const type = isText ? 'text/html' : 'application/json';
    return new Response(isText ? body : JSON.stringify(body), {
      status,
      headers: {
        ...{ 'content-type': type, date: new Date().toUTCString(), 'x-request-id': randomUUID() },
        ...headers,
      },
    });
  };
}
