import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createMock } from '@orgchat/mock-server';
import { createClient, type Journal, type JournalEntry } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { migrateTo } from '../../src/postgres/migrate.ts';
import { currentRelease, type TableRelease } from '../../src/postgres/schema.ts';
import { createStatementRunner } from '../../src/postgres/statement-runner.ts';
import { migrate, outbox, postgresJournal, postgresPacing } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { organization } from '../../test-support/organization.ts';

/* Programs of two versions of the tables, in one database. */

let server: PostgresServer;
let pool: pg.Pool;
let schema = '';
let schemaCount = 0;

beforeAll(async () => {
  server = await startPostgres();
  pool = server.pool({ max: 20 });
});
afterAll(() => server.stop());
beforeEach(async () => {
  schema = `upgrade${++schemaCount}`;
  await migrate(pool, { schema });
});
afterEach(() => vi.restoreAllMocks());

/** Lets time pass for the programs of this process. */
function passTime(ms: number): void {
  const { now } = performance;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ms);
}

const createRelease = (oldestProgram: number): TableRelease => ({
  version: currentRelease.version + 1,
  oldestProgram: currentRelease.version + oldestProgram,
  statements: (name) => [`ALTER TABLE ${name}.journal ADD COLUMN color text`],
});
const [compatible, breaking] = [createRelease(0), createRelease(1)];
const migrateLater = (release: TableRelease) => migrateTo(pool, `"${schema}"`, release);

/** Asks as a program does that was written for the next version. */
async function startLater(): Promise<void> {
  const program = currentRelease.version + 1;
  await createStatementRunner(pool, { what: 'It', store: 'outbox', schema, timeoutMs: 5_000, program }).run(
    'SELECT 1',
    [],
  );
}

const createEntry = (): JournalEntry => ({
  ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
  ...{
    operationId: randomUUID(),
    target: 'upgrade',
    token: randomUUID(),
    createdAt: '2026',
    updatedAt: '2026',
  },
  deadline: new Date(Date.now() + 60_000).toISOString(),
});
const openJournal = (): Journal => postgresJournal(pool, { schema });
const tooNew = { code: 'STORE_VERSION' };

test('a rolling upgrade to tables that older programs may use stops nobody, and can be rolled back', async () => {
  await expect(startLater()).rejects.toMatchObject({ code: 'STORE_NOT_MIGRATED' });
  const running = openJournal();
  const entry = createEntry();
  await running.add(entry);
  await migrateLater(compatible);
  await startLater();
  passTime(60_000);
  expect(await running.settle({ ...entry, state: 'applied' })).toBe(true);
  expect(await running.add(createEntry())).toBe(true);
  // One that restarts in the middle of the deploy, and one that is rolled back.
  await migrate(pool, { schema });
  expect(await openJournal().add(createEntry())).toBe(true);
  const { rows } = await pool.query(`SELECT version FROM ${schema}.migrations ORDER BY 1`);
  expect(rows).toEqual([{ version: 1 }, { version: 2 }]);
});

test('a program refuses tables that are only for later ones, and begins nothing in them', async () => {
  await migrateLater(breaking);
  await startLater();
  await expect(migrate(pool, { schema })).rejects.toMatchObject(tooNew);
  await expect(openJournal().get(createEntry())).rejects.toMatchObject({
    ...tooNew,
    message: `The Postgres journal cannot use the tables in schema "${schema}": they have version 2, which requires a program for version 2 or later. This program is for version 1. Update @orgchat/fleet.`,
  });
});

test('a running journal starts nothing new 60 s after the upgrade, and finishes what it has', async () => {
  const journal = openJournal();
  const [applied, removed, open] = [createEntry(), createEntry(), createEntry()];
  for (const entry of [applied, removed, open]) await journal.add(entry);
  await journal.settle({ ...open, state: 'unknown' });
  await migrateLater(breaking);
  passTime(60_000);
  const next = createEntry();
  await expect(journal.add(next)).rejects.toMatchObject(tooNew);
  await expect(journal.claim(open, { token: 'next', deadline: open.deadline })).rejects.toMatchObject(tooNew);
  expect(await journal.get(next)).toBeUndefined();
  const renewed = { token: `${applied.token}`, deadline: new Date(Date.now() + 90_000).toISOString() };
  expect((await journal.claim(applied, renewed))?.entry?.token).toBe(applied.token);
  expect(await journal.settle({ ...applied, state: 'applied' })).toBe(true);
  expect(await journal.remove(removed, removed.token)).toBe(true);
  expect((await journal.get(applied))?.state).toBe('applied');
});

test('a running worker answers what is in progress, sends nothing new, and begins again after a rollback', async () => {
  const mock = createMock({ rateLimit: 'off' });
  const gate = new EventEmitter();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = await request.clone().text();
    if (body.includes('Slow')) {
      const opened = once(gate, 'open');
      gate.emit('reached');
      await opened;
    }
    return mock.fetch(request);
  };
  const client = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch },
    ...{ journal: openJournal(), pacing: { shared: postgresPacing(pool, { schema }) } },
  });
  const box = outbox(pool, { organization, schema });
  const add = async (name: string): Promise<void> => {
    const tx = await pool.connect();
    try {
      await box.add(tx, { action: 'create-tags', data: { name, color: 'pink' } });
    } finally {
      tx.release();
    }
  };
  await add('First');
  expect(await box.drain(client)).toMatchObject({ applied: 1 });
  await add('Waiting');
  const reached = once(gate, 'reached');
  const sent = client.tags.create({ name: 'Slow', color: 'pink' });
  await reached;
  await migrateLater(breaking);
  passTime(60_000);
  const failed = { code: 'JOURNAL_FAILED', outcome: 'abandoned', cause: tooNew };
  await expect(client.tags.create({ name: 'New', color: 'pink' })).rejects.toMatchObject(failed);
  await expect(client.tags.list()).rejects.toMatchObject({ code: 'PACING_FAILED', cause: tooNew });
  await expect(box.drain(client)).rejects.toMatchObject(tooNew);
  await expect(box.run(client)).rejects.toThrow();
  await expect(add('New')).rejects.toMatchObject(tooNew);
  gate.emit('open');
  expect(await sent).toMatchObject({ applied: true });
  await pool.query(`DELETE FROM ${schema}.migrations WHERE version = 2`);
  expect(await box.drain(client)).toMatchObject({ applied: 1, left: [] });
  await client.tags.create({ name: 'New', color: 'pink' });
});
