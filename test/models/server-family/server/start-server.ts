import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer, Service } from './service.ts';

/** What answers requests. */
export interface Responder {
  answer(method: string, path: string, key: string, text: string): Answer | Promise<Answer>;
}

/** A free port of this machine. */
export interface FamilyServer<R extends Responder = Service> {
  readonly baseUrl: string;
  /** What answers; a new one has forgotten everything. */
  service: R;
  close(): void;
}

export async function startServer<R extends Responder>(service: R): Promise<FamilyServer<R>> {
  const prefix = '/api/v1';
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const key = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    const path = url.startsWith(prefix) ? url.slice(prefix.length) : '';
    const answer = await family.service.answer(method, path, key, await text(request));
    const isText = typeof answer.body === 'string';
    const type = isText ? 'text/html' : 'application/json';
    response.writeHead(answer.status, { 'content-type': type, ...answer.headers });
    response.end(isText ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => void server.close().closeAllConnections();
  const family = { baseUrl: `http://127.0.0.1:${port}${prefix}`, service, close };
  return family;
}
