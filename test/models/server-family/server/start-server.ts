import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Service } from './service.ts';

/** A free port of this machine. */
export interface FamilyServer {
  readonly baseUrl: string;
  /** What answers; a new one has forgotten everything. */
  service: Service;
  close(): void;
}

export async function startServer(service: Service): Promise<FamilyServer> {
  const prefix = '/api/v1';
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const key = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    const path = url.startsWith(prefix) ? url.slice(prefix.length) : '';
    const answer = family.service.answer(method, path, key, await text(request));
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
