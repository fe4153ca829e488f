import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../src/index.ts';

/* A server of bytes: what the real `fetch` makes of connections that break at each point of an answer. */

const words = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `word ${from + n}`);

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Answer = (socket: Socket, body: string) => void;

function respond(status: string, body: string, isWhole = true): Answer {
  return (socket) => {
    const bytes = Buffer.byteLength(body);
    const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n`;
    socket.write(head + (isWhole ? body : body.slice(0, bytes / 2)));
    socket.end();
  };
}

const accept: Answer = (socket, body) => {
  const { keywords } = JSON.parse(body) as { keywords: string[] };
  respond('201 Created', JSON.stringify({ added: keywords, skipped: [] }))(socket, body);
};

/** Opens a server that answers each request in turn; the last answer repeats. */
async function open(answers: readonly Answer[]): Promise<{ baseUrl: string; bodies: string[] }> {
  const bodies: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = '';
    let isAnswered = false;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received += data;
      const [head = '', rest = ''] = received.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (isAnswered || !(rest.length >= length)) return;
      isAnswered = true;
      const answer = answers[Math.min(bodies.length, answers.length - 1)];
      bodies.push(rest);
      answer?.(socket, rest);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { baseUrl: `http://127.0.0.1:${address.port}/api/v1`, bodies };
}

test.each<[string, Answer]>([
  ['is reset', (socket) => socket.resetAndDestroy()],
  ['is closed', (socket) => socket.end()],
  ['breaks within the head', (socket) => socket.end('HTTP/1.1 201 Cre')],
  ['breaks within the body', respond('201 Created', '{"added":["word 50"],"skipped":[]}', false)],
  ['answers with a page', respond('200 OK', '<html>login</html>')],
  ['answers with another shape', respond('201 Created', '{"added":3}')],
  ['answers 500', respond('500 Internal Server Error', '{"error":"INTERNAL_ERROR","message":"?"}')],
])('an import whose second connection %s', async (_how, breaks) => {
  const { baseUrl, bodies } = await open([accept, breaks, accept]);
  const client = createClient({ baseUrl, apiKey: 'demo-write-key', pacing: false });
  const result = await client.keywords.import('s', words(120));
  expect([result.added, result.unknown, result.notSent]).toEqual([words(50), words(50, 50), words(20, 100)]);
  const all = await result.resume({ retryUnknown: true });
  expect([all.added.length, all.unknown, all.error]).toEqual([120, [], undefined]);
  const sizes = bodies.map((body) => (JSON.parse(body) as { keywords: string[] }).keywords.length);
  expect(sizes).toEqual([50, 50, 50, 20]);
});
