import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RedisServer, startRedis } from '../../test-support/engines/redis-server.ts';
import { startFaultyNetwork } from '../../test-support/faulty-network.ts';
import {
  checkMinute,
  createOpenLine,
  crowd,
  lineCases,
  windowMs,
  worstWindow,
} from '../../test-support/pacing-line.ts';
import { startSilentServer } from '../../test-support/silent-server.ts';
import { type RedisClient, redisPacing } from '../redis.ts';
import { createRedisPacing } from './pacing.ts';

/* Pacing that machines share, on a real Redis. */

let server: RedisServer;
let admin: Redis;

beforeAll(async () => {
  server = await startRedis();
  admin = server.ioredis();
});
afterAll(() => server.stop());

const openLine = createOpenLine(() => createRedisPacing(server.ioredis(), {}, windowMs));

describe('a line', () => {
  // Each has keys of its own, so they wait at the same time.
  test.concurrent.each(lineCases)('%s', async (_what, check) => check(openLine));

  test('is kept over a kill of the engine', async () => {
    const line = openLine(2, { holdMs: 60_000 });
    await line.reserve('a');
    await line.reserve('b');
    await server.kill('SIGKILL');
    await server.start();
    expect((await line.reserve('c')).state).toBe('waiting');
  });

  test('decides in one round trip, over both drivers', async () => {
    const commands: string[] = [];
    const nodeRedis = await server.nodeRedis();
    const counted: readonly RedisClient[] = [
      {
        ...{ status: 'ready', on: () => undefined },
        call: (command: string, ...args: string[]) => {
          commands.push(command);
          return admin.call(command, ...args);
        },
      },
      {
        ...{ isOpen: true, on: () => undefined },
        sendCommand: (args: string[]) => {
          commands.push(args[0] ?? '');
          return nodeRedis.sendCommand(args);
        },
      },
    ];
    for (const client of counted) {
      const line = createOpenLine(() => createRedisPacing(client, {}, windowMs))(5);
      await line.reserve('a');
      await line.release('a');
      commands.length = 0;
      await line.reserve('b');
      await line.release('b');
      expect(commands).toEqual(['EVALSHA', 'EVALSHA']);
    }
  });
});

test('a place counts for a minute and a second of slack after its answer', () =>
  checkMinute(redisPacing(admin)));

test('the tests detect pacing that counts per fixed window', async () => {
  // The counter that is most often recommended: INCR and EXPIRE.
  const counter = `local window = tonumber(ARGV[5])
    local now = redis.call('TIME')
    local name = KEYS[1] .. math.floor((now[1] * 1000 + now[2] / 1000) / window)
    local count = redis.call('INCR', name)
    redis.call('PEXPIRE', name, window)
    return { count <= tonumber(ARGV[2]) and 'granted' or 'waiting', 20, 20 }`;
  const planted: RedisClient = {
    ...{ status: 'ready', on: () => undefined },
    call: (command, ...args) => {
      const [, ...rest] = args;
      // The other script has fewer arguments.
      return rest.length === 12 ? admin.call('EVAL', counter, ...rest) : admin.call(command, ...args);
    },
  };
  // The counter starts at zero in the middle of a window.
  await sleep(windowMs - (Date.now() % windowMs) + windowMs * 0.8);
  const grants = await crowd(createOpenLine(() => createRedisPacing(planted, {}, windowMs)));
  expect(worstWindow(grants)).toBeGreaterThan(6);
});

describe('a client', () => {
  const vip = { name: 'VIP', color: 'pink' } as const;

  test('with an engine that is down rejects within 2 s, and sends nothing', async () => {
    const network = await startFaultyNetwork(server.port);
    const silent = await startSilentServer();
    const nodeRedis = await server.nodeRedis({ port: network.port });
    network.cut();
    // Each of them queues commands while it has no connection.
    const clients = [
      server.ioredis({ port: network.port }),
      server.ioredis({ port: silent.port }),
      nodeRedis,
    ];
    const startedAt = performance.now();
    await Promise.all(
      clients.map(async (redis) => {
        const mock = createMock();
        const client = createClient({
          ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
          pacing: { shared: redisPacing(redis) },
        });
        await expect(client.tags.create(vip)).rejects.toMatchObject({
          code: 'PACING_FAILED',
          cause: { name: 'FleetError', code: 'STORE_UNAVAILABLE' },
        });
        expect(performance.now() - startedAt).toBeLessThan(10_000);
        expect(mock.requests.list()).toEqual([]);
      }),
    );
    await network.close();
    silent.close();
  });

  test('with an engine that is down can continue at a pace of its own', async () => {
    const redis = server.ioredis();
    await redis.quit();
    const mock = createMock();
    const client = createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
      pacing: { shared: redisPacing(redis), onStoreDown: { perMinute: 10 } },
    });
    await client.tags.create(vip);
    expect(mock.requests.list()).toHaveLength(1);
  });

  test('on an engine that evicts learns what to set', async () => {
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    try {
      const asked = redisPacing(admin).reserve({ line: 'l', place: 'p', perMinute: 1, holdMs: 1 });
      await expect(asked).rejects.toMatchObject({ code: 'STORE_EVICTION' });
    } finally {
      await admin.config('SET', 'maxmemory-policy', 'noeviction');
    }
  });

  test('leaves no key of the API in the engine, and nothing that stays', async () => {
    const mock = createMock();
    const client = createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
      pacing: { shared: redisPacing(admin, { prefix: 'private' }) },
    });
    await client.account();
    const keys = await admin.keys('{private}:*');
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.join()).not.toMatch(/demo-write-key|127\.0\.0\.1/);
    for (const key of keys) expect(await admin.pttl(key)).toBeGreaterThan(0);
  });
});

test('a 429 makes every machine wait', async () => {
  const mock = createMock({ rateLimit: 'off' });
  mock.faults.arm({ effect: 'respond', status: 429, retryAfter: 2 });
  const [one, other] = [server.ioredis(), await server.nodeRedis()].map((redis) =>
    createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, retry: false },
      pacing: { shared: redisPacing(redis, { prefix: 'retry_after' }) },
    }),
  );
  await expect(one?.account()).rejects.toMatchObject({ status: 429 });
  await expect.poll(() => admin.keys('{retry_after}:*:blocked')).toHaveLength(1);
  const startedAt = performance.now();
  await other?.account();
  expect(performance.now() - startedAt).toBeGreaterThan(1_000);
});
