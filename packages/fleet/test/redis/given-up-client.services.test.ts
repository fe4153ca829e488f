import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { expect, onTestFinished, test } from 'vitest';
import { type RedisClient, redisJournal } from '../../src/redis.ts';
import { createEntry, getError } from '../../test-support/engines/bad-engine.ts';
import { type RedisServer, startRedis } from '../../test-support/engines/redis-server.ts';
import { withEvents } from '../../test-support/own-events.ts';

/* A client whose driver stops connecting: nobody has ended it, so its store is down. */

const ignore = (): void => undefined;

async function openIoredis({ port }: RedisServer, retryStrategy: (times: number) => number | null) {
  const client = new Redis({ port, retryStrategy });
  client.on('error', ignore);
  onTestFinished(() => client.disconnect());
  await client.ping();
  return client;
}

async function openNodeRedis({ port }: RedisServer, reconnectStrategy: (retries: number) => number | Error) {
  const client = createClient({ socket: { port, reconnectStrategy } });
  client.on('error', ignore);
  onTestFinished(() => {
    if (client.isOpen) client.destroy();
  });
  return client.connect();
}

const clients: readonly [kind: string, open: (server: RedisServer) => Promise<RedisClient>][] = [
  ['ioredis, at once', (server) => openIoredis(server, () => null)],
  ['ioredis, after three tries', (server) => openIoredis(server, (times) => (times > 3 ? null : 20))],
  ['node-redis, at once', (server) => openNodeRedis(server, () => new Error('no'))],
  [
    'node-redis, after three tries',
    (server) => openNodeRedis(server, (retries) => (retries > 3 ? new Error('no') : 20)),
  ],
];

test.each(clients)(
  '%s: its journal is down, and says what to do',
  withEvents(async (events, _kind, open) => {
    const server = await startRedis();
    onTestFinished(server.stop);
    const client = await open(server);
    const journal = redisJournal(client, { timeoutMs: 2_000 });
    expect(await journal.get({ operationId: 'nothing', target: 'x' })).toBeUndefined();
    await server.kill('SIGKILL');
    const isClosed = () => ('status' in client ? client.status === 'end' : !client.isOpen);
    await expect.poll(isClosed).toBe(true);
    for (let n = 0; n < 2; n++)
      expect(await getError(journal.add(createEntry('one')))).toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringMatching(/its driver has given up connecting.*Create another one/),
      });
    expect(events).toEqual([{ type: 'fleet', event: 'store-down', store: 'redisJournal' }]);
  }),
);

test.each<[kind: string, open: typeof openIoredis | typeof openNodeRedis]>([
  ['ioredis', openIoredis],
  ['node-redis', openNodeRedis],
])('%s: a client that connected again and was then ended has not given up', async (_kind, open) => {
  const server = await startRedis();
  onTestFinished(server.stop);
  const client = await open(server, () => 20);
  const journal = redisJournal(client, { timeoutMs: 2_000 });
  expect(await journal.get({ operationId: 'nothing', target: 'x' })).toBeUndefined();
  const isReady = new Promise((resolve) => client.once('ready', resolve));
  await server.kill('SIGKILL');
  await server.start();
  await isReady;
  if ('disconnect' in client) client.disconnect();
  if ('destroy' in client) client.destroy();
  expect(await getError(journal.add(createEntry('one')))).toMatchObject({
    message: expect.not.stringContaining('given up'),
  });
});
