import type { Journal } from '@orgchat/sdk';
import { type ConformanceOptions, journalConformance } from '@orgchat/sdk/journal-conformance';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type RedisClient, redisJournal } from '../../src/redis.ts';
import { type FaultyNetwork, startFaultyNetwork } from '../../test-support/faulty-network.ts';
import { type RedisServer, startRedis } from '../../test-support/redis-server.ts';

/* The requirements of a journal, on a real Redis behind a network that fails, over both drivers. */

let server: RedisServer;
let admin: Redis;
const proxies: FaultyNetwork[] = [];
let prefixCount = 0;

beforeAll(async () => {
  server = await startRedis();
  admin = server.ioredis();
});
afterAll(async () => {
  await server.stop();
  await Promise.all(proxies.map((proxy) => proxy.close()));
});

/** A store of its own for each case. */
interface Store {
  readonly network: FaultyNetwork;
  open(): Promise<Journal>;
}

const stores = new Map<Journal, Store>();
const getStore = (journal: Journal): Store => {
  const store = stores.get(journal);
  if (!store) throw new Error('an unknown journal');
  return store;
};

/** Another clock of this machine. */
const setClock = (offsetMs: number) => {
  const { now } = Date;
  Date.now = () => now() + offsetMs;
  return () => {
    Date.now = now;
  };
};

const options: ConformanceOptions = {
  holdsEnd: true,
  setClock,
  reopen: (journal) => getStore(journal).open(),
  loseReply: (journal) => getStore(journal).network.loseReply(),
  partition: (journal) => getStore(journal).network.cut(),
  async failWrites() {
    await admin.config('SET', 'maxmemory', '1');
    return async () => {
      await admin.config('SET', 'maxmemory', '0');
    };
  },
};

const drivers: readonly [name: string, connect: (port: number) => RedisClient | Promise<RedisClient>][] = [
  ['ioredis', (port) => server.ioredis({ port })],
  ['node-redis', (port) => server.nodeRedis({ port })],
];

describe.each(drivers)('over %s', (_name, connect) => {
  async function make(): Promise<Journal> {
    const prefix = `s${++prefixCount}`;
    const network = await startFaultyNetwork(server.port);
    proxies.push(network);
    const open = async (port: number): Promise<Journal> => {
      const journal = redisJournal(await connect(port), { prefix, timeoutMs: 1_000 });
      // Connected and checked, so that the reply that is lost is that of a script.
      await journal.list('nothing');
      return journal;
    };
    const journal = await open(network.port);
    stores.set(journal, { network, open: () => open(server.port) });
    return journal;
  }

  for (const { name, run } of journalConformance(make, options)) test(name, run);
});
