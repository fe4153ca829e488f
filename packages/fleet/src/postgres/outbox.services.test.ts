import { PGlite } from '@electric-sql/pglite';
import { createMock, type Mock } from '@orgchat/mock-server';
import { type ChatChange, type ClientOptions, createClient, type OrgChatClient } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { startFaultyNetwork } from '../../test-support/faulty-network.ts';
import { inTransaction } from '../../test-support/in-transaction.ts';
import { organization } from '../../test-support/organization.ts';
import { startRelay } from '../../test-support/programs/start-worker.ts';
import { migrate, outbox, postgresJournal, type Queryable } from '../postgres.ts';

/* Changes that are committed with the data of an application: applied once if it commits, never if it rolls back. */

let server: PostgresServer;
let pool: pg.Pool;
let mock: Mock;
let boxCount = 0;

beforeAll(async () => {
  server = await startPostgres();
  pool = server.pool({ max: 20 });
  await migrate(pool);
  await pool.query('CREATE TABLE orders (number integer PRIMARY KEY)');
});
afterAll(() => server.stop());
beforeEach(() => {
  mock = createMock({ rateLimit: 'off' });
});

const create = (name: string): ChatChange => ({ action: 'create-tags', data: { name, color: 'pink' } });
const openBox = (db: Queryable = pool) => outbox(db, { organization, name: `box-${++boxCount}` });
const connect = (options: ClientOptions = {}): OrgChatClient =>
  createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
    ...{ pacing: false, retry: false, journal: postgresJournal(pool) },
    ...options,
  });

/** A client whose next request meets a fault. */
function connectTo(fault: Parameters<Mock['faults']['arm']>[0]): OrgChatClient {
  mock.faults.arm(fault);
  return connect();
}

/** The names of the tags in the mock that begin with a prefix, in order. */
async function getNames(prefix: string): Promise<string[]> {
  const tags = await connect().tags.list().toArray();
  return tags
    .map(({ name }) => name)
    .filter((name) => name.startsWith(prefix))
    .sort();
}

test('what is committed is applied once, and what is rolled back is never sent', async () => {
  const box = openBox();
  const { operationId } = await inTransaction(pool, (tx) => box.add(tx, create('Box kept')));
  const rolledBack = inTransaction(pool, async (tx) => {
    await box.add(tx, create('Box lost'));
    throw new Error('out of stock');
  });
  await expect(rolledBack).rejects.toThrow('out of stock');
  expect((await box.list()).map((entry) => entry.operationId)).toEqual([operationId]);
  expect(await box.drain(connect())).toEqual({ applied: 1, left: [] });
  expect(await box.drain(connect())).toEqual({ applied: 0, left: [] });
  expect(await getNames('Box')).toEqual(['Box kept']);
});

test('nothing is sent before the commit', async () => {
  const box = openBox();
  await inTransaction(pool, async (tx) => {
    await box.add(tx, create('Box early'));
    expect(await box.drain(connect())).toEqual({ applied: 0, left: [] });
  });
  expect((await box.drain(connect())).applied).toBe(1);
});

test('an intent is added once, and refused with another change', async () => {
  const box = openBox();
  const add = (change: ChatChange) =>
    inTransaction(pool, (tx) => box.add(tx, change, { intent: ['order', 17] }));
  expect(await add(create('Box once'))).toEqual(await add(create('Box once')));
  const sorted = { data: { color: 'pink', name: 'Box once' }, action: 'create-tags' } as const;
  expect(await add(sorted)).toEqual(await add(create('Box once')));
  await expect(add(create('Box other'))).rejects.toMatchObject({
    name: 'FleetError',
    code: 'INPUT_CONFLICT',
  });
  expect((await box.drain(connect())).applied).toBe(1);
  // A late delivery of the same order: the server answers as before.
  await add(create('Box once'));
  await box.drain(connect());
  expect(await getNames('Box')).toEqual(['Box once']);
});

test('several relays share the work: each change is sent by one of them', async () => {
  const box = openBox();
  await inTransaction(pool, async (tx) => {
    for (let n = 0; n < 40; n++) await box.add(tx, create(`Box ${n}`));
  });
  const results = await Promise.all([1, 2, 3, 4].map(() => box.drain(connect())));
  expect(results.reduce((sum, { applied }) => sum + applied, 0)).toBe(40);
  expect(await getNames('Box')).toHaveLength(40);
  const sent = mock.requests.list().filter(({ operation }) => operation === 'changeChat');
  expect(sent).toHaveLength(40);
});

test('a change that the server refuses for what it is stays, with the reason, and stops no other', async () => {
  const box = openBox();
  const [bad] = await inTransaction(pool, async (tx) => [
    await box.add(tx, create('')),
    await box.add(tx, create('Box good')),
  ]);
  const { applied, left } = await box.drain(connect());
  expect(applied).toBe(1);
  expect(left).toMatchObject([
    { operationId: bad?.operationId, state: 'refused', attempts: 1, change: create('') },
  ]);
  expect(left[0]?.error).toContain('400');
  expect((await box.drain(connect())).left).toHaveLength(1);
  expect(mock.requests.list().filter(({ status }) => status === 400)).toHaveLength(1);
  expect(await box.remove(bad?.operationId ?? '')).toBe(true);
  expect(await box.remove(bad?.operationId ?? '')).toBe(false);
  expect(await box.list()).toEqual([]);
});

test.each<[string, () => OrgChatClient]>([
  ['a revoked key', () => connect({ apiKey: 'demo-revoked-key' })],
  ['a lost answer', () => connectTo({ effect: 'lose-response' })],
  ['a server that is down', () => connectTo({ effect: 'respond', status: 502 })],
  [
    'a journal that is down',
    () => connect({ journal: postgresJournal(server.pool({ port: 1 }), { timeoutMs: 100 }) }),
  ],
])('after %s a change stays open, and is applied once later', async (_what, connectBadly) => {
  const box = openBox();
  await inTransaction(pool, (tx) => box.add(tx, create('Box again')));
  const { applied, left } = await box.drain(connectBadly());
  expect(applied).toBe(0);
  expect(left).toMatchObject([{ state: 'open', attempts: 1, error: expect.any(String) }]);
  expect((await box.drain(connect())).applied).toBe(1);
  expect(await getNames('Box')).toEqual(['Box again']);
});

test('run() sends what is committed while it runs, and ends by its signal', async () => {
  const box = openBox();
  const abort = new AbortController();
  await inTransaction(pool, (tx) => box.add(tx, create('Box before')));
  const running = box.run(connect(), { signal: abort.signal });
  await expect.poll(() => getNames('Box')).toEqual(['Box before']);
  await inTransaction(pool, (tx) => box.add(tx, create('Box during')));
  await expect.poll(() => getNames('Box')).toEqual(['Box before', 'Box during']);
  abort.abort();
  await running;
});

test('run() rides out an engine that is down, and ends at once if the tables are missing', async () => {
  const network = await startFaultyNetwork(server.port);
  const away = server.pool({ port: network.port });
  const box = openBox(away);
  const abort = new AbortController();
  const codes: string[] = [];
  const heal = network.cut();
  const running = box.run(connect(), { signal: abort.signal, onError: ({ code }) => void codes.push(code) });
  await expect.poll(() => codes).toEqual(['STORE_UNAVAILABLE']);
  heal();
  await inTransaction(pool, (tx) => box.add(tx, create('Box healed')));
  await expect.poll(() => getNames('Box')).toEqual(['Box healed']);
  abort.abort();
  await running;
  await network.close();
  await expect(outbox(pool, { organization, schema: 'never_made' }).run(connect())).rejects.toMatchObject({
    code: 'STORE_NOT_MIGRATED',
  });
});

test('relays, engine and network that die lose nothing and double nothing', {
  timeout: 240_000,
}, async () => {
  const http = await mock.listen({ port: 0 });
  const network = await startFaultyNetwork(server.port);
  const box = outbox(pool, { organization });
  const committed: string[] = [];
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 10, probability: 0.2 });
  let relays = [0, 1, 2].map(() => startRelay(network.port, http.baseUrl));
  for (let n = 0; n < 90; n++) {
    const name = `Box ${String(n).padStart(2, '0')}`;
    const isKept = n % 3 !== 0;
    const work = inTransaction(pool, async (tx) => {
      await tx.query('INSERT INTO orders VALUES ($1)', [n]);
      // Without an intent: nothing but the outbox says that it is the same change.
      await box.add(tx, create(name));
      if (!isKept) throw new Error('rolled back');
    });
    await work.then(
      () => committed.push(name),
      () => undefined,
    );
    if (n % 30 === 20) {
      await expect.poll(() => relays.every(({ lines }) => lines.includes('ready'))).toBe(true);
      network.loseReply();
      relays[0]?.signal('SIGKILL');
      await relays[0]?.ended;
      network.breakAll();
      relays = [...relays.slice(1), startRelay(network.port, http.baseUrl)];
    }
    if (n === 55) {
      await server.kill('SIGKILL');
      await server.start();
    }
  }
  const left = async () => (await box.list()).map(({ error }) => error);
  // Less than the time limit of a call: nothing waits for the end of a hold whose process has died.
  await expect.poll(left, { timeout: 45_000, interval: 500 }).toEqual([]);
  for (const relay of relays) {
    relay.signal('SIGKILL');
    await relay.ended;
  }
  expect(committed.length).toBeGreaterThan(50);
  expect(await getNames('Box')).toEqual(committed);
  const { rows } = await pool.query<{ number: number }>('SELECT number FROM orders ORDER BY number');
  expect(rows.map(({ number }) => `Box ${String(number).padStart(2, '0')}`)).toEqual(committed);
  await network.close();
  await http.close();
});

test('on PGlite a transaction and a relay work in one process', async () => {
  const db = new PGlite();
  await migrate(db);
  const box = outbox(db, { organization });
  await db.transaction((tx) => box.add(tx, create('Box embedded')));
  const failing = db.transaction(async (tx) => {
    await box.add(tx, create('Box rolled back'));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await box.drain(connect({ journal: postgresJournal(db) }))).toEqual({ applied: 1, left: [] });
  expect(await getNames('Box')).toEqual(['Box embedded']);
  await db.close();
});
