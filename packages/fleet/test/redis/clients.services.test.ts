import type { JournalEntry } from '@orgchat/sdk';
import { Cluster } from 'ioredis';
import { createClientPool, createCluster, RESP_TYPES } from 'redis';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { internalName, type StoreInternals } from '../../src/internal.ts';
import { type RedisClient, redisJournal, redisPacing } from '../../src/redis.ts';
import { durable, type RedisServer, startRedis } from '../../test-support/engines/redis-server.ts';

/* Every kind of client, on a cluster of one node, which refuses a script whose keys are in two slots. */

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis([...durable, '--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1']);
  const admin = server.ioredis();
  await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await vi.waitFor(async () => expect(await admin.cluster('INFO')).toContain('cluster_state:ok'), 10_000);
});
afterAll(() => server.stop());

const ignore = (): void => undefined;
const url = (): string => `redis://127.0.0.1:${server.port}`;

/** Opens a client, and says how to end it. */
type Open = () => Promise<{ readonly client: RedisClient; end(): void }>;

const kinds: readonly [kind: string, open: Open][] = [
  [
    'a client of ioredis with a prefix of its own',
    async () => ({ client: server.ioredis({ keyPrefix: '{app}:' }), end: ignore }),
  ],
  [
    'a client of ioredis that returns integers as texts',
    async () => ({ client: server.ioredis({ stringNumbers: true }), end: ignore }),
  ],
  [
    'a client of node-redis with integers as texts and texts as bytes',
    async () => {
      const types = { [RESP_TYPES.NUMBER]: String, [RESP_TYPES.BLOB_STRING]: Buffer };
      const client = (await server.nodeRedis()).withTypeMapping(types);
      return { client: client as unknown as RedisClient, end: ignore };
    },
  ],
  [
    'a cluster of ioredis',
    async () => {
      const client = new Cluster([{ host: '127.0.0.1', port: server.port }]);
      return { client, end: () => client.disconnect() };
    },
  ],
  [
    'a cluster of node-redis',
    async () => {
      const client = createCluster({ rootNodes: [{ url: url() }] });
      client.on('error', ignore);
      await client.connect();
      return { client, end: () => client.destroy() };
    },
  ],
  [
    'a pool of node-redis',
    async () => {
      const client = createClientPool({ url: url() });
      client.on('error', ignore);
      await client.connect();
      return { client, end: () => client.destroy() };
    },
  ],
];

test.each(kinds)('%s has journal and pacing', async (kind, open) => {
  const { client, end } = await open();
  try {
    const prefix = kind.replaceAll(' ', '_');
    const journal = redisJournal(client, { prefix });
    const entry: JournalEntry = {
      ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
      ...{ operationId: 'one', target: 'clients', token: 't', createdAt: '2026', updatedAt: '2026' },
      deadline: new Date(Date.now() + 60_000).toISOString(),
    };
    expect(await journal.add(entry)).toBe(true);
    expect(await journal.get(entry)).toEqual(entry);
    expect((await journal.list('clients', { open: true })).entries).toEqual([entry]);
    const other = { token: 'other', deadline: entry.deadline };
    expect(await journal.claim(entry, other)).toEqual({ heldUntil: expect.any(String) });
    expect(await journal.stats?.('clients')).toMatchObject({ pending: 1, open: 1, oldestOpenAt: '2026' });
    expect(await journal.settle({ ...entry, state: 'applied' })).toBe(true);
    expect(await journal.claim(entry, { token: 'next', deadline: entry.deadline })).toMatchObject({
      entry: { state: 'applied', token: 'next' },
    });
    expect(await journal.remove(entry)).toBe(true);
    const pacing = redisPacing(client, { prefix });
    const ask = (place: string) => pacing.reserve({ line: 'l', place, perMinute: 1, holdMs: 5 });
    expect((await ask('a')).state).toBe('granted');
    await pacing.release({ line: 'l', place: 'a', isUnused: false });
    expect(await ask('b')).toEqual({
      ...{ state: 'waiting', waitMs: expect.any(Number), askAgainMs: expect.any(Number) },
    });
    expect(await pacing.stats({ perMinute: 1 })).toMatchObject({ lines: 1, waiting: 1, inUse: 1 });
    const internals = Reflect.get(journal, Symbol.for(internalName)) as StoreInternals;
    const lock = () => internals.lock('nightly', '17', 60_000);
    expect([await lock(), await lock()]).toEqual([expect.any(Object), '17']);
  } finally {
    end();
  }
});
