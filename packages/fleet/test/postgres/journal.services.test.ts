import { PGlite } from '@electric-sql/pglite';
import type { Journal } from '@orgchat/sdk';
import { type ConformanceOptions, journalConformance } from '@orgchat/sdk/journal-conformance';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, postgresJournal, type Queryable } from '../../src/postgres.ts';
import { type FaultyNetwork, startFaultyNetwork } from '../../test-support/faulty-network.ts';
import { type PostgresServer, startPostgres } from '../../test-support/postgres-server.ts';

/* The requirements of a journal, on a real Postgres behind a network that fails, and on PGlite. */

let server: PostgresServer;
let admin: pg.Pool;
const proxies: FaultyNetwork[] = [];
let schemaCount = 0;

/** A store of its own for each case. */
interface Store {
  readonly schema: string;
  readonly admin: Queryable;
  open(): Journal;
  loseReply(): void;
  cut(): () => void;
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
  reopen: (journal) => getStore(journal).open(),
  loseReply: (journal) => getStore(journal).loseReply(),
  partition: (journal) => getStore(journal).cut(),
  async failWrites(journal) {
    const { admin, schema } = getStore(journal);
    // As an engine whose disk is full: what exists can be changed in place and removed.
    await admin.query(`CREATE OR REPLACE FUNCTION ${schema}.full() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
    await admin.query(
      `CREATE TRIGGER full_insert BEFORE INSERT ON ${schema}.journal EXECUTE FUNCTION ${schema}.full()`,
    );
    await admin.query(
      `CREATE TRIGGER full_update BEFORE UPDATE OF entry ON ${schema}.journal EXECUTE FUNCTION ${schema}.full()`,
    );
    return async () => {
      await admin.query(`DROP TRIGGER full_insert ON ${schema}.journal`);
      await admin.query(`DROP TRIGGER full_update ON ${schema}.journal`);
    };
  },
};

describe('on Postgres', () => {
  beforeAll(async () => {
    server = await startPostgres(['max_connections=400']);
    admin = server.pool({ max: 4 });
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  async function make(): Promise<Journal> {
    const schema = `s${++schemaCount}`;
    await migrate(admin, { schema });
    const proxy = await startFaultyNetwork(server.port);
    proxies.push(proxy);
    const open = (port: number): Journal =>
      postgresJournal(server.pool({ port, max: 4 }), { schema, timeoutMs: 1_000 });
    const journal = open(proxy.port);
    // Connected, so that the reply that is lost is that of a statement.
    await journal.list('nothing');
    const store: Store = {
      schema,
      admin,
      open: () => open(server.port),
      loseReply: () => proxy.loseReply(),
      cut: () => proxy.cut(),
    };
    stores.set(journal, store);
    return journal;
  }

  for (const { name, run } of journalConformance(make, { ...options, setClock })) test(name, run);

  test('many programs may migrate at once, and again', async () => {
    const pools = Array.from({ length: 8 }, () => server.pool({ max: 1 }));
    await Promise.all(pools.map((pool) => migrate(pool, { schema: 'at_once' })));
    await migrate(pools[0] as pg.Pool, { schema: 'at_once' });
    const { rows } = await (pools[0] as pg.Pool).query('SELECT version FROM at_once.migrations');
    expect(rows).toEqual([{ version: 2 }]);
  });
});

// PGlite has the clock of this process, so nothing is said about wrong ones.
describe('on PGlite', () => {
  let db: PGlite;
  beforeAll(async () => {
    db = new PGlite();
    await db.waitReady;
  });
  afterAll(() => db.close());

  async function make(): Promise<Journal> {
    const schema = `s${++schemaCount}`;
    await migrate(db, { schema });
    const network = { isCut: false, isReplyLost: false };
    const query = async (text: string, values?: unknown[]) => {
      if (network.isCut) throw new Error('cut');
      const answer = await db.query<Record<string, unknown>>(text, values);
      const { isReplyLost } = network;
      network.isReplyLost = false;
      if (isReplyLost) throw new Error('connection lost');
      return answer;
    };
    const pool = { query, exec: db.exec.bind(db), waitReady: db.waitReady };
    const open = () => postgresJournal(pool, { schema, timeoutMs: 300 });
    const journal = open();
    await journal.list('nothing');
    stores.set(journal, {
      schema,
      admin: db,
      open,
      loseReply: () => {
        network.isReplyLost = true;
      },
      cut: () => {
        network.isCut = true;
        return () => {
          network.isCut = false;
        };
      },
    });
    return journal;
  }

  for (const { name, run } of journalConformance(make, options)) test(name, run);
});
