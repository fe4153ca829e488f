import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from '@orgchat/mock-server';
import { type ChatChange, createClient } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type FleetError, migrate, outbox, postgresJournal, type Queryable } from '../../src/postgres.ts';
import { createEntry } from '../../test-support/engines/bad-engine.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { type FaultyNetwork, startFaultyNetwork } from '../../test-support/faulty-network.ts';
import { organization } from '../../test-support/organization.ts';

/* Postgres fails over, or is unusable for a while, and a worker works again afterwards without a restart. */

let server: PostgresServer;
let admin: pg.Pool;
const networks: FaultyNetwork[] = [];

beforeAll(async () => {
  server = await startPostgres();
  admin = server.pool();
  await migrate(admin);
});
afterAll(() => server.stop());
afterEach(() => Promise.all(networks.splice(0).map((network) => network.close())));

async function startNetwork(): Promise<FaultyNetwork> {
  const network = await startFaultyNetwork(server.port);
  networks.push(network);
  return network;
}

const isLock = "locktype = 'advisory' AND mode = 'ExclusiveLock' AND objid = $1::int";

/** The sessions of the engine that have the lock with a number. */
async function findSessions(number: number | undefined, db: Queryable = admin): Promise<number[]> {
  return (await db.query(`SELECT pid FROM pg_locks WHERE ${isLock}`, [number])).rows.map(({ pid }) =>
    Number(pid),
  );
}

/** The number that holds an entry. */
async function findHolder(id: string, db: Queryable = admin): Promise<number | undefined> {
  const { rows } = await db.query('SELECT holder FROM orgchat.journal WHERE operation_id = $1', [id]);
  return rows[0]?.holder ? Number(rows[0].holder) : undefined;
}

/** Whether another process may take an entry. */
async function isFree(id: string, db: Queryable = admin): Promise<boolean> {
  const entry = createEntry(id, { target: 'failovers' });
  const claim = await postgresJournal(db).claim(entry, { token: 'other', deadline: entry.deadline });
  return claim?.entry !== undefined;
}

test.each<[string, (network: FaultyNetwork, number: number | undefined) => Promise<unknown>]>([
  ['says nothing any more', async (network) => network.swallow()],
  ['is broken', async (network) => network.breakAll()],
  [
    'is ended by the engine',
    async (_network, number) =>
      admin.query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE ${isLock}`, [number]),
  ],
])('a lock whose connection %s is taken again with the same number', async (what, fail) => {
  const network = await startNetwork();
  const pool = server.pool({ port: network.port });
  onTestFinished(() => pool.end());
  const journal = postgresJournal(pool);
  await journal.add(createEntry(what, { target: 'failovers' }));
  const number = await findHolder(what);
  const [before] = await findSessions(number);
  await fail(network, number);
  const after = async () => (await findSessions(number)).filter((session) => session !== before);
  await expect.poll(after).toHaveLength(1);
  expect(await findSessions(number)).not.toContain(before);
  expect(await isFree(what)).toBe(false);
});

test('after a silent replacement of the engine a worker has its lock there, and works', async () => {
  const standby = await startPostgres([], { standbyOf: server.port });
  onTestFinished(() => standby.stop());
  const network = await startNetwork();
  const pool = server.pool({ port: network.port, max: 3 });
  onTestFinished(() => pool.end());
  const journal = postgresJournal(pool, { timeoutMs: 1_000 });
  const entry = (id: string) => createEntry(id, { target: 'failovers' });
  await Promise.all(['one', 'two', 'three'].map((id) => journal.add(entry(id))));
  const number = await findHolder('one');
  const other = standby.pool();
  await expect.poll(() => findHolder('one', other)).toBe(number);
  // From now on the address leads to the new primary. The old connections lead nowhere.
  network.moveTo(standby.port);
  network.swallow();
  await other.query('SELECT pg_promote()');
  await expect.poll(() => findSessions(number, other)).toHaveLength(1);
  for (const id of ['one', 'two', 'three']) expect(await isFree(id, other)).toBe(false);
  const settle = async () => journal.settle({ ...entry('one'), state: 'applied' });
  await expect.poll(() => settle().catch(() => 'failed')).toBe(true);
  expect(await journal.add(entry('four'))).toBe(true);
  expect(await findHolder('four', other)).toBe(number);
});

test('a worker that holds nothing asks before it holds something again', async () => {
  const network = await startNetwork();
  const pool = server.pool({ port: network.port, idleTimeoutMillis: 10 });
  onTestFinished(() => pool.end());
  const journal = postgresJournal(pool);
  const brief = createEntry('brief', { target: 'failovers', deadline: new Date(0).toISOString() });
  await journal.add(brief);
  const [before] = await findSessions(await findHolder('brief'));
  await journal.settle({ ...brief, state: 'applied' });
  await sleep(3_200);
  network.swallow();
  await journal.add(createEntry('next', { target: 'failovers' }));
  const sessions = await findSessions(await findHolder('next'));
  expect(sessions).toHaveLength(1);
  expect(sessions).not.toEqual([before]);
});

const outages: [user: string, fail: string, heal: string, systemCode: string][] = [
  ['reader', 'SET default_transaction_read_only = on', 'RESET ALL', '25006'],
  ['outsider', 'NOLOGIN', 'LOGIN', '28000'],
  ['slow', "SET statement_timeout = '1ms'", 'RESET ALL', '57014'],
];

/** Has the table of an outbox until the returned function is called: a free one can be read faster than any time limit. */
async function lockOutbox(schema: string): Promise<() => Promise<void>> {
  const tx = await admin.connect();
  await tx.query(`BEGIN; LOCK TABLE ${schema}.outbox IN ACCESS EXCLUSIVE MODE`);
  return async () => {
    await tx.query('ROLLBACK');
    tx.release();
  };
}

async function rideOut([user, fail, heal, systemCode]: (typeof outages)[number]): Promise<void> {
  const mock = createMock({ rateLimit: 'off' });
  await admin.query(`CREATE ROLE ${user} LOGIN SUPERUSER`);
  const pool = server.pool({ user, idleTimeoutMillis: 10 });
  const journal = postgresJournal(pool, { schema: user, timeoutMs: 1_000 });
  const client = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, pacing: false, journal },
  });
  await client.tags.create({ name: 'Before', color: 'pink' });
  const box = (db: Queryable) => outbox(db, { organization, schema: user });
  const errors: (string | undefined)[] = [];
  const stop = new AbortController();
  const onError = (error: FleetError) => void errors.push(error.systemCode);
  const running = box(pool).run(client, { signal: stop.signal, onError });
  const alter = async (what: string): Promise<void> => {
    await admin.query(`ALTER ROLE ${user} ${what}`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [user]);
  };
  const unlock = systemCode === '57014' ? await lockOutbox(user) : async () => undefined;
  try {
    await alter(fail);
    await expect.poll(() => errors).toContain(systemCode);
  } finally {
    await unlock();
  }
  await alter(heal);
  const change: ChatChange = { action: 'create-tags', data: { name: 'After', color: 'pink' } };
  const tx = await admin.connect();
  await box(admin).add(tx, change);
  tx.release();
  await expect.poll(() => box(admin).list()).toEqual([]);
  await client.tags.create({ name: 'Later', color: 'pink' });
  expect(mock.operations()).toHaveLength(3);
  stop.abort();
  await running;
}

test('a relay and a worker ride out an engine that is read-only, refuses logins, or lets statements take too long', async () => {
  // Each user has tables of its own, so that the lock of one concerns no other.
  for (const [user] of outages) await migrate(admin, { schema: user });
  await Promise.all(outages.map(rideOut));
});

test('a relay ends for tables that are missing: nothing but migrate() brings them', async () => {
  const mock = createMock();
  const client = createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch });
  const box = outbox(admin, { organization, schema: 'never_made' });
  await expect(box.run(client)).rejects.toMatchObject({ code: 'STORE_NOT_MIGRATED' });
});
