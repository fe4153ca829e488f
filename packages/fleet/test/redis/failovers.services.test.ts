import { createMock } from '@orgchat/mock-server';
import { createClient, type Journal } from '@orgchat/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RedisClient, redisJournal, redisPacing } from '../../src/redis.ts';
import { createEntry } from '../../test-support/engines/bad-engine.ts';
import { durable, type RedisServer, startRedis } from '../../test-support/engines/redis-server.ts';
import { type FaultyNetwork, startFaultyNetwork } from '../../test-support/faulty-network.ts';
import { withEvents } from '../../test-support/own-events.ts';

/*
 * An address moves from a primary to another one. The connections stay open to the first, which becomes a replica: what a
 * managed Redis does in a failover.
 */

let first: RedisServer;
let second: RedisServer;
let network: FaultyNetwork;

beforeAll(async () => {
  [first, second] = await Promise.all([startRedis(), startRedis([...durable])]);
});
afterAll(() => Promise.all([first.stop(), second.stop()]));
beforeEach(async () => {
  network = await startFaultyNetwork(first.port);
  await second.ioredis().call('REPLICAOF', 'NO', 'ONE');
  await first.ioredis().call('REPLICAOF', 'NO', 'ONE');
  await first.ioredis().flushall();
});
afterEach(() => network.close());

/** Makes the second engine the primary, and the first one its replica. */
async function failOver(): Promise<void> {
  await second.ioredis().call('REPLICAOF', '127.0.0.1', String(first.port));
  const link = async () => String(await second.ioredis().call('INFO', 'replication'));
  await expect.poll(link).toContain('master_link_status:up');
  network.moveTo(second.port);
  await second.ioredis().call('REPLICAOF', 'NO', 'ONE');
  await first.ioredis().call('REPLICAOF', '127.0.0.1', String(second.port));
}

const drivers: [string, (port: number) => Promise<RedisClient>][] = [
  ['ioredis', async (port) => first.ioredis({ port })],
  ['node-redis', (port) => first.nodeRedis({ port })],
];

test.each(drivers)('after a failover every call of a worker with %s works', async (_driver, open) => {
  const redis = await open(network.port);
  const mock = createMock({ rateLimit: 'off' });
  const client = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
    journal: redisJournal(redis, { onWarning: () => undefined }),
    pacing: { perMinute: 1_000, shared: redisPacing(redis) },
  });
  const create = (name: string) => client.tags.create({ name, color: 'pink' });
  await create('before');
  await failOver();
  await Promise.all(Array.from({ length: 20 }, (_, n) => create(`after ${n}`)));
  expect(mock.operations()).toHaveLength(21);
  const { entries } = await redisJournal(second.ioredis(), { onWarning: () => undefined }).list(
    (await client.operations.list())[0]?.target ?? '',
  );
  expect(entries.map(({ state }) => state)).toEqual(Array(21).fill('applied'));
});

test.each([
  ['nothing is asked of it', async (_journal: Journal) => undefined],
  ['it is asked before the next heartbeat', (journal: Journal) => journal.add(createEntry('at once'))],
])(
  'an engine that is replaced by an empty one without a word is noticed, and used at once, if %s',
  (_when, ask) =>
    withEvents(async (events) => {
      network.moveTo(first.port);
      for (const server of [first, second]) await server.ioredis().flushall();
      const redis = first.ioredis({ port: network.port });
      const journal = redisJournal(redis, { onWarning: () => undefined });
      const held = ['one', 'two'].map((id) => createEntry(id));
      for (const entry of held) await journal.add(entry);
      const countBeats = async () =>
        Number(/cmdstat_evalsha:calls=(\d+)/.exec(await first.ioredis().info('commandstats'))?.[1] ?? 0);
      const before = await countBeats();
      await expect.poll(countBeats).toBeGreaterThan(before);
      network.moveTo(second.port);
      network.breakAll();
      await ask(journal);
      // Its heartbeat is there again, and it was not there for a while.
      const found = () => events.map(({ event, store }) => `${event} ${store}`);
      await expect.poll(found).toEqual(['lock-lost redis', 'lock-regained redis']);
      // What it held is gone, which is reported, and the same operation can be added again.
      for (const entry of held) expect(await journal.settle({ ...entry, state: 'applied' })).toBe(false);
      expect(events.slice(2)).toEqual(
        held.map(({ operationId }) => ({
          ...{ type: 'fleet', event: 'hold-lost', store: 'redisJournal', operationId },
        })),
      );
      const [entry] = held as [(typeof held)[0]];
      expect(await journal.add(entry)).toBe(true);
      const other = redisJournal(second.ioredis(), { onWarning: () => undefined });
      const claim = await other.claim(entry, { token: 'other', deadline: entry.deadline });
      expect(claim?.entry).toBeUndefined();
      expect(await journal.settle({ ...entry, state: 'applied' })).toBe(true);
      const place = { line: 'l', place: 'after', perMinute: 1, holdMs: 1 };
      expect((await redisPacing(redis).reserve(place)).state).toBe('granted');
    })(),
);

test('an engine that stays read-only closes no more than a connection per second', async () => {
  const redis = first.ioredis();
  await first.ioredis().call('REPLICAOF', '127.0.0.1', String(second.port));
  let connections = 0;
  redis.on('ready', () => connections++);
  const pacing = redisPacing(redis);
  const reserve = (n: number) => pacing.reserve({ line: 'l', place: `${n}`, perMinute: 1, holdMs: 1 });
  for (let n = 0; n < 20; n++) await expect(reserve(n)).rejects.toMatchObject({ code: 'STORE_READ_ONLY' });
  expect(connections).toBeLessThanOrEqual(3);
});
