import { createServer } from 'node:net';
import { account } from './scripted.ts';

export interface BrittleServer {
  readonly baseUrl: string;
  readonly counts: { connections: number; requests: number; onReused: number };
  close(): void;
}

const added = { added: ['x'], skipped: [] };

/** A server that answers the first request of each connection, and breaks the connection when it has read a second. */
export async function openBrittleServer(): Promise<BrittleServer> {
  const counts = { connections: 0, requests: 0, onReused: 0 };
  const server = createServer((socket) => {
    counts.connections++;
    let received = '';
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received += data;
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      const isChunked = /transfer-encoding: chunked/i.test(received);
      if (end < 0 || received.length < end + 4 + length) return;
      if (isChunked && !received.endsWith('0\r\n\r\n')) return;
      const body = JSON.stringify(received.startsWith('GET') ? account : added);
      received = '';
      counts.requests++;
      if (requests++ > 0) {
        counts.onReused++;
        socket.resetAndDestroy();
        return;
      }
      const head = ['HTTP/1.1 200 OK', 'Content-Type: application/json', `Content-Length: ${body.length}`];
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const baseUrl = `http://127.0.0.1:${address.port}/api/v1`;
  return { baseUrl, counts, close: () => void server.close() };
}
