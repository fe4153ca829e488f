import type { Redis } from 'ioredis';
import { createClient as createNodeRedis } from 'redis';
import { redisJournal } from '../../src/redis.ts';
import { findFreePort } from '../free-port.ts';
import { type BadEngine, createEntry } from './bad-engine.ts';
import { createPretender, toInfo } from './pretended-redis.ts';
import { durable, type RedisServer, startRedis } from './redis-server.ts';

let server: RedisServer;
let locked: RedisServer;
let replica: RedisServer;
let admin: Redis;

const brief = { timeoutMs: 1_500, onWarning: () => undefined };
const pretend: ReturnType<typeof createPretender> = (answers) => createPretender(admin)(answers);
const folder = async (target: 'cleaning' | 'problems'): Promise<string> => {
  const [member = ''] = await admin.keys(
    `{orgchat}:journal:*:entry:${target === 'cleaning' ? 'old' : 'cut'}`,
  );
  return member.replace(/entry:.*$/, '');
};

const createProgram = (driver: 'ioredis' | 'node-redis') => `
  import { Redis } from 'ioredis';
  import { createClient } from 'redis';
  import { redisJournal } from './packages/fleet/src/redis.ts';
  const client = ${driver === 'ioredis'} ? new Redis(${server.port})
    : await createClient({ url: 'redis://127.0.0.1:${server.port}' }).connect();
  // It still holds its entry, so its heartbeat runs.
  await redisJournal(client).add(${JSON.stringify(createEntry(driver))});
  await client.quit();
`;

/** Redis, and how it can be bad. */
export const badRedis: BadEngine = {
  cases: [
    [
      'an engine that is not running',
      async () => redisJournal(server.ioredis({ port: await findFreePort() }), brief),
      'STORE_UNAVAILABLE',
      /^The Redis journal failed: connect ECONNREFUSED 127\.0\.0\.1:\d+\. Check that Redis is running, and check the host and port\.$/,
    ],
    [
      'a client of node-redis that was never connected',
      () => redisJournal(createNodeRedis(), brief),
      'STORE_UNAVAILABLE',
      /^The Redis journal failed: the client is closed\. Call await client\.connect\(\) first\.$/,
    ],
    [
      'a client of ioredis that has ended',
      async () => {
        const client = server.ioredis();
        await client.quit();
        return redisJournal(client, brief);
      },
      'STORE_UNAVAILABLE',
      /the client is closed\. It was ended by quit\(\) or disconnect\(\): create another one\.$/,
    ],
    [
      'a wrong password',
      () => redisJournal(locked.ioredis({ password: 'wrong' }), brief),
      'STORE_CREDENTIALS',
      /failed: WRONGPASS invalid username-password pair or user is disabled\. Check the user and the password\. The password may have expired\.$/,
    ],
    [
      'no password',
      () => redisJournal(locked.ioredis(), brief),
      'STORE_CREDENTIALS',
      /failed: NOAUTH .* Check the user and the password\. The password may have expired\.$/,
    ],
    [
      'a user without permissions',
      async () => redisJournal(await locked.nodeRedis({ username: 'stranger', password: 'right' }), brief),
      'STORE_CREDENTIALS',
      /failed: NOPERM .* Grant this user access to the keys with the prefix/,
    ],
    [
      'a read-only replica',
      () => redisJournal(replica.ioredis(), brief),
      'STORE_READ_ONLY',
      /failed: READONLY .* Connect to the primary, and check replica-read-only\.$/,
    ],
    [
      'an engine that evicts',
      () => redisJournal(pretend({ INFO: toInfo('maxmemory_policy:allkeys-lru') }), brief),
      'STORE_EVICTION',
      /^The Redis journal requires maxmemory-policy noeviction; this Redis has allkeys-lru, so it may delete /,
    ],
    [
      'an engine of an old version',
      () => redisJournal(pretend({ INFO: toInfo('redis_version:6.2.14') }), brief),
      'STORE_VERSION',
      /^The Redis journal requires Redis 7\.0 or later; this one has version 6\.2\.14\.$/,
    ],
    [
      'a full engine',
      () =>
        redisJournal(
          pretend({ EVALSHA: new Error("OOM command not allowed when used memory > 'maxmemory'.") }),
        ),
      'STORE_FULL',
      /failed: OOM command not allowed .* Free memory or disk space on its machine, or raise maxmemory\.$/,
    ],
  ],
  async start() {
    [server, locked] = await Promise.all([
      startRedis([...durable, '--repl-diskless-sync-delay', '0']),
      startRedis(['--requirepass', 'right', '--user', 'stranger', 'on', '>right', '~other:*', '+@all']),
    ]);
    replica = await startRedis(['--replicaof', '127.0.0.1', String(server.port)]);
    admin = server.ioredis();
  },
  stop: () => Promise.all([server, locked, replica].map((one) => one.stop())),
  open: (options) => redisJournal(server.ioredis(), { ...brief, timeoutMs: 5_000, ...options }),
  openReadOnly: () => [redisJournal(replica.ioredis(), brief)],
  damaged: { cut: 'truncated', gone: 'truncated', newer: 'format', other: 'truncated' },
  async damage() {
    const entries = `${await folder('problems')}entry:`;
    await admin.hset(`${entries}cut`, 'entry', '{"operationId":');
    await admin.del(`${entries}gone`, `${entries}other`);
    await admin.set(`${entries}other`, 'a text');
    const newer = (await admin.hget(`${entries}newer`, 'entry')) ?? '';
    await admin.hset(`${entries}newer`, 'entry', newer.replace('"format":2', '"format":3'));
  },
  async age(ids) {
    const settled = `${await folder('cleaning')}settled`;
    for (const id of ids) await admin.zadd(settled, Date.now() - 3 * 86_400_000, id);
  },
  // Reading it was one script.
  untilUsed: async () => undefined,
  programs: [
    ['when its client of ioredis has ended', () => createProgram('ioredis')],
    ['when its client of node-redis has ended', () => createProgram('node-redis')],
  ],
};
