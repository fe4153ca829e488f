import { PGlite } from '@electric-sql/pglite';
import type { Journal } from '@orgchat/sdk';
import { type ConformanceOptions, journalConformance } from '@orgchat/sdk/journal-conformance';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { migrate, postgresJournal, type Queryable } from '../src/postgres.ts';
import { type RedisClient, redisJournal } from '../src/redis.ts';
import { setClock } from '../test-support/clock.ts';
import { startPostgres } from '../test-support/engines/postgres-server.ts';
import { type RedisServer, startRedis } from '../test-support/engines/redis-server.ts';
import { type FaultyNetwork, startFaultyNetwork } from '../test-support/faulty-network.ts';

/* The requirements of a journal, on real engines behind a network that fails, over every driver, and on PGlite. */

/** A store of its own for each case. */
interface Store {
  /** Opens it as another process does. */
  open(): Journal | Promise<Journal>;
  readonly network: Pick<FaultyNetwork, 'loseReply' | 'cut'>;
  failWrites(): Promise<() => Promise<void>>;
}

/** A kind of store. */
interface Kind {
  make(name: string): Promise<Store & { readonly journal: Journal }>;
  stop(): Promise<unknown>;
}

/** As an engine whose disk is full: what exists can be changed in place and removed. */
async function fillDisk(admin: Queryable, schema: string): Promise<() => Promise<void>> {
  const table = `${schema}.journal`;
  await admin.query(`CREATE OR REPLACE FUNCTION ${schema}.full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
  await admin.query(`CREATE TRIGGER full_insert BEFORE INSERT ON ${table} EXECUTE FUNCTION ${schema}.full()`);
  await admin.query(
    `CREATE TRIGGER full_update BEFORE UPDATE OF entry ON ${table} EXECUTE FUNCTION ${schema}.full()`,
  );
  return async () => {
    await admin.query(`DROP TRIGGER full_insert ON ${table}`);
    await admin.query(`DROP TRIGGER full_update ON ${table}`);
  };
}

async function startNetworks(port: number) {
  const networks: FaultyNetwork[] = [];
  return {
    async add(): Promise<FaultyNetwork> {
      const network = await startFaultyNetwork(port);
      networks.push(network);
      return network;
    },
    close: () => Promise.all(networks.map((network) => network.close())),
  };
}

async function startOnPostgres(): Promise<Kind> {
  const server = await startPostgres(['max_connections=400']);
  const admin = server.pool({ max: 4 });
  const networks = await startNetworks(server.port);
  return {
    async make(schema) {
      await migrate(admin, { schema });
      const network = await networks.add();
      const open = (port = server.port): Journal =>
        postgresJournal(server.pool({ port, max: 4 }), { schema, timeoutMs: 1_000 });
      return { journal: open(network.port), open, network, failWrites: () => fillDisk(admin, schema) };
    },
    stop: () => server.stop().then(networks.close),
  };
}

async function startOnPglite(): Promise<Kind> {
  const db = await PGlite.create();
  return {
    async make(schema) {
      await migrate(db, { schema });
      const state = { isCut: false, isReplyLost: false };
      const query = async (text: string, values?: unknown[]) => {
        if (state.isCut) throw new Error('cut');
        const answer = await db.query<Record<string, unknown>>(text, values);
        const { isReplyLost } = state;
        state.isReplyLost = false;
        if (isReplyLost) throw new Error('connection lost');
        return answer;
      };
      const pool = { query, exec: db.exec.bind(db), waitReady: db.waitReady };
      const open = (): Journal => postgresJournal(pool, { schema, timeoutMs: 1_000 });
      const loseReply = (): void => {
        state.isReplyLost = true;
      };
      const cut = () => {
        state.isCut = true;
        return () => {
          state.isCut = false;
        };
      };
      return { journal: open(), open, network: { loseReply, cut }, failWrites: () => fillDisk(db, schema) };
    },
    stop: () => db.close(),
  };
}

type Connect = (server: RedisServer, port: number) => RedisClient | Promise<RedisClient>;

async function startOnRedis(connect: Connect): Promise<Kind> {
  const server = await startRedis();
  const admin = server.ioredis();
  const networks = await startNetworks(server.port);
  return {
    async make(prefix) {
      const network = await networks.add();
      const open = async (port = server.port): Promise<Journal> => {
        const journal = redisJournal(await connect(server, port), { prefix, timeoutMs: 1_000 });
        // Connected and checked, so that the reply that is lost is that of a script.
        await journal.list('nothing');
        return journal;
      };
      const failWrites = async () => {
        await admin.config('SET', 'maxmemory', '1');
        return async () => void (await admin.config('SET', 'maxmemory', '0'));
      };
      return { journal: await open(network.port), open, network, failWrites };
    },
    stop: () => server.stop().then(networks.close),
  };
}

const kinds: readonly [
  name: string,
  start: () => Promise<Kind>,
  clock: Pick<ConformanceOptions, 'setClock' | 'hasOwnClock'>,
][] = [
  ['Postgres', startOnPostgres, { setClock, hasOwnClock: true }],
  // PGlite has the clock of this process, so nothing is said about wrong ones.
  ['PGlite', startOnPglite, {}],
  [
    'Redis over ioredis',
    () => startOnRedis((server, port) => server.ioredis({ port })),
    { setClock, hasOwnClock: true },
  ],
  [
    'Redis over node-redis',
    () => startOnRedis((server, port) => server.nodeRedis({ port })),
    { setClock, hasOwnClock: true },
  ],
];

describe.each(kinds)('on %s', (_name, start, clock) => {
  let kind: Kind;
  beforeAll(async () => {
    kind = await start();
  });
  afterAll(() => kind.stop());

  const stores = new Map<Journal, Store>();
  let count = 0;
  const getStore = (journal: Journal): Store => {
    const store = stores.get(journal);
    if (!store) throw new Error('an unknown journal');
    return store;
  };

  async function make(): Promise<Journal> {
    const { journal, ...store } = await kind.make(`s${++count}`);
    // Connected, so that the reply that is lost is that of a statement.
    await journal.list('nothing');
    stores.set(journal, store);
    return journal;
  }

  const cases = journalConformance(make, {
    holdsEnd: true,
    ...clock,
    reopen: (journal) => getStore(journal).open(),
    loseReply: (journal) => getStore(journal).network.loseReply(),
    partition: (journal) => getStore(journal).network.cut(),
    failWrites: (journal) => getStore(journal).failWrites(),
  });
  for (const { name, run } of cases) test(name, run);
});
