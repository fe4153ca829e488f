import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrate, postgresJournal } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { type FaultyNetwork, startFaultyNetwork } from '../../test-support/faulty-network.ts';

/* A call that was given up may still be executed, by a commit that is slow or a packet that is late. It then does nothing. */

let server: PostgresServer;
let network: FaultyNetwork;
let admin: pg.Pool;
let schema = '';
let schemaCount = 0;

beforeAll(async () => {
  server = await startPostgres();
  network = await startFaultyNetwork(server.port);
  admin = server.pool();
});
afterAll(async () => {
  await network.close();
  await server.stop();
});
beforeEach(async () => {
  schema = `given_up${++schemaCount}`;
  await migrate(admin, { schema });
});

const entry: JournalEntry = {
  ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
  ...{ operationId: 'one', target: 'given-up', token: 'first', createdAt: '2026', updatedAt: '2026' },
  deadline: '2100-01-01T00:00:00.000Z',
};
const warm: JournalEntry = { ...entry, operationId: 'warm' };
const hold = { token: 'next', deadline: entry.deadline };
const brief = { timeoutMs: 2_000, onWarning: () => undefined };

/** The next commit that touches the entry takes so many seconds, as on a disk that stalls. */
async function slowDown(event: 'INSERT' | 'UPDATE', seconds: number): Promise<void> {
  await admin.query(`CREATE FUNCTION ${schema}.slow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF new.operation_id = 'one' AND new.entry <> '' AND new.lease_ends_at IS NOT NULL THEN
      PERFORM pg_sleep(${seconds}); END IF; RETURN NULL; END $$`);
  await admin.query(`CREATE CONSTRAINT TRIGGER slow AFTER ${event} ON ${schema}.journal
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${schema}.slow()`);
}

const isInProgress = async (statement: string): Promise<number> => {
  const { rows } = await admin.query(
    'SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = $1 AND query ~ $2 AND pid <> pg_backend_pid()',
    ['active', statement],
  );
  return rows[0]?.n ?? 0;
};

/** Makes a call whose commit takes three seconds, and cuts the network in the meantime. */
async function cutDuring(call: () => Promise<unknown>): Promise<void> {
  const given = call().then(
    () => 'resolved',
    ({ code }: { readonly code: string }) => code,
  );
  await expect.poll(() => isInProgress(`${schema}"?\\.journal`)).toBe(1);
  const heal = network.cut();
  expect(await given).toBe('STORE_UNAVAILABLE');
  heal();
}

test('an addition whose commit is slow leaves nothing after it was given up', async () => {
  const pool = server.pool({ port: network.port, max: 6 });
  const journal = postgresJournal(pool, { ...brief, schema });
  await journal.add(warm);
  await slowDown('INSERT', 3);
  await cutDuring(async () => journal.add(entry));
  let most = 0;
  while ((await isInProgress('pg_sleep|journal')) > 0 && most < 10) {
    most = Math.max(most, await isInProgress('given_up'));
    await sleep(100);
  }
  // The statement that waits, and one that has just been given up.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(4);
  await expect.poll(async () => (await journal.list(entry.target)).entries).toEqual([warm]);
  expect(await journal.get(entry)).toBeUndefined();
  expect(await journal.claim(entry, hold)).toBeUndefined();
  expect(await journal.settle({ ...entry, state: 'applied' })).toBe(false);
  expect(await journal.remove(entry)).toBe(false);
  expect(await journal.add({ ...entry, token: 'again' })).toBe(true);
  expect(await journal.get(entry)).toEqual({ ...entry, token: 'again' });
});

test('a claim whose commit is slow holds nothing after it was given up', async () => {
  // Without a session lock, which would be lost with the network, and free the entry.
  const pool = server.pool({ port: network.port });
  const leased = { query: (text: string, values?: unknown[]) => pool.query(text, values) };
  const journal = postgresJournal(leased, { ...brief, schema });
  const other = postgresJournal(server.pool(), { ...brief, schema, timeoutMs: 10_000 });
  await journal.add(entry);
  await journal.settle({ ...entry, state: 'unknown' });
  await slowDown('UPDATE', 3);
  await cutDuring(async () => journal.claim(entry, { ...hold, token: 'given up' }));
  await expect.poll(() => isInProgress('pg_sleep|journal')).toBe(0);
  await admin.query(`DROP TRIGGER slow ON ${schema}.journal`);
  await journal.list(entry.target);
  expect((await other.claim(entry, hold))?.entry?.token).toBe('next');
});

test('statements that arrive after they were given up do nothing', async () => {
  let isLost = false;
  const late: [text: string, values: unknown[]][] = [];
  const pool = {
    async query(text: string, values: unknown[] = []) {
      if (!isLost) return admin.query(text, values);
      late.push([text, values]);
      throw new Error('connection lost');
    },
  };
  const journal = postgresJournal(pool, { ...brief, schema, timeoutMs: 1_000 });
  const deliver = async (): Promise<void> => {
    isLost = false;
    // What is left to be undone comes first.
    await journal.list(entry.target);
    for (const [text, values] of late.splice(0)) await admin.query(text, values);
  };
  await journal.add(warm);
  isLost = true;
  for (const token of ['first', 'second'])
    await expect(journal.add({ ...entry, token })).rejects.toThrow('connection lost');
  await deliver();
  expect((await journal.list(entry.target)).entries).toEqual([warm]);
  // A call that is made once more may have the same token.
  expect(await journal.add(entry)).toBe(true);
  await journal.settle({ ...entry, state: 'unknown' });
  isLost = true;
  await expect(journal.claim(entry, { ...hold, token: 'late' })).rejects.toThrow('connection lost');
  await deliver();
  expect(await journal.get(entry)).toEqual({ ...entry, state: 'unknown' });
  expect((await journal.claim(entry, hold))?.entry?.token).toBe('next');
});

test('what remembers a call that was given up is removed as a settled entry is', async () => {
  let isLost = false;
  const query = async (text: string, values?: unknown[]) => {
    if (isLost) throw new Error('connection lost');
    return admin.query(text, values);
  };
  const journal = postgresJournal({ query }, { ...brief, schema, timeoutMs: 1_000, keepSettledDays: 2 });
  await journal.add(warm);
  isLost = true;
  await expect(journal.add(entry)).rejects.toThrow('connection lost');
  isLost = false;
  await journal.list(entry.target);
  const countRows = async (): Promise<number> =>
    (await admin.query(`SELECT count(*)::int AS n FROM ${schema}.journal`)).rows[0]?.n;
  expect(await countRows()).toBe(2);
  await admin.query(`UPDATE ${schema}.journal SET settled_at = settled_at - interval '3 days'`);
  await journal.settle({ ...warm, state: 'applied' });
  await expect.poll(countRows).toBe(1);
});
