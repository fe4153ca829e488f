import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { cert, key } from '../../../../test/test-support/certificate.ts';
import { type ClientOptions, createClient, OutcomeUnknownError } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';

/* Connections that fail before or after the request was written. */

const vip = { name: 'VIP', color: 'pink' } as const;

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const open = (port: number, options: ClientOptions = {}) =>
  createClient({
    apiKey: 'test-key-1234567890',
    baseUrl: `https://127.0.0.1:${port}/api/v1`,
    pacing: false,
    timeoutMs: 20_000,
    retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 1 },
    ...options,
  });

const createTls = (options: TlsOptions): Server =>
  createTlsServer({ key, cert, ...options }).on('tlsClientError', () => undefined);

test.each<[string, () => Server]>([
  ['a server without TLS', () => createHttpServer((_, response) => response.end('{}'))],
  ['a server of another protocol', () => createServer((socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'))],
  ['a connection that is closed at once', () => createServer((socket) => socket.end())],
  ['a server with an old version of TLS', () => createTls({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })],
])('the request never left: %s', async (_name, create) => {
  const client = open(await listen(create()));
  for (const call of [() => client.tags.create(vip), () => client.keywords.add('s', { keywords: ['a'] })])
    expect(await getRejection(call())).toMatchObject({
      name: 'ConnectionError',
      code: 'CONNECTION_FAILED',
      outcome: 'abandoned',
      attempts: 2,
    });
  expect(await client.operations.list({ state: 'unknown' })).toEqual([]);
});

test('bytes that are not TLS after the request arrived leave the outcome unknown', async () => {
  const clients = new Set<Socket>();
  const tls = createTls({});
  tls.on('secureConnection', (socket: Socket) => {
    // A request arrived. What follows does not come from the server.
    socket.once('data', () => {
      for (const client of clients) client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
  });
  const tlsPort = await listen(tls);
  const gateway = createServer((client) => {
    clients.add(client);
    const server = connect(tlsPort, '127.0.0.1');
    server.on('error', () => undefined);
    client.pipe(server);
    server.pipe(client);
    client.on('close', () => server.destroy());
  });
  const dispatcher = new Agent({ connect: { ca: cert } });
  onTestFinished(() => dispatcher.destroy());
  const client = open(await listen(gateway), { fetchOptions: { dispatcher }, retry: false });
  const error = await getRejection(client.tags.create(vip));
  expect(error).toBeInstanceOf(OutcomeUnknownError);
  expect(error.reason).toBe('CONNECTION_LOST');
});
