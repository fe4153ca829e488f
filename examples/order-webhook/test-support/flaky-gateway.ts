import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A gateway in front of an API. */
export interface FlakyGateway {
  readonly baseUrl: string;
  /** How many of the next requests have no route: they are answered with a page, and do not reach the API. */
  unrouted: number;
  /** Whether the codes of errors are others than the API sends. */
  renamesCodes: boolean;
  close(): void;
}

/** Opens a gateway in front of the API with this base URL. */
export async function openFlakyGateway(upstream: string): Promise<FlakyGateway> {
  const { origin, pathname } = new URL(upstream);
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '', headers } = incoming;
    const body = await buffer(incoming);
    if (gateway.unrouted > 0) {
      gateway.unrouted--;
      outgoing.writeHead(404, { 'content-type': 'text/html' }).end('default backend - 404');
      return;
    }
    const sent = { authorization: String(headers.authorization), 'content-type': 'application/json' };
    const answer = await fetch(`${origin}${url}`, {
      method,
      headers: sent,
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    const isRenamed = gateway.renamesCodes && !answer.ok;
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
    outgoing.end(isRenamed ? text.replace(/"error":"/, '"error":"X_') : text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const gateway: FlakyGateway = {
    baseUrl: `http://127.0.0.1:${port}${pathname}`,
    unrouted: 0,
    renamesCodes: false,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return gateway;
}
