import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMock } from '@orgchat/mock-server';
import { createClient, type Journal, type JournalEntry } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type FleetError,
  migrate,
  outbox,
  postgresJournal,
  postgresPacing,
  type StoreWarning,
} from '../../src/postgres.ts';
import { findFreePort } from '../../test-support/free-port.ts';
import { organization } from '../../test-support/organization.ts';
import { startPgbouncer } from '../../test-support/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../../test-support/postgres-server.ts';

/* Engines that cannot be used: each gives a clear error, and nothing is sent that is not recorded. */

let server: PostgresServer;
let admin: pg.Pool;
let standby: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
  admin = server.pool();
  await migrate(admin);
  await migrate(admin, { schema: 'later' });
  await admin.query('INSERT INTO later.migrations (version) VALUES (3)');
  await admin.query("CREATE ROLE expiring LOGIN PASSWORD 'right' VALID UNTIL '2020-01-01'");
  await admin.query('CREATE ROLE stranger LOGIN');
  standby = await startPostgres([], { standbyOf: server.port });
});
afterAll(async () => {
  await standby.stop();
  await server.stop();
});

const entry = (id: string, changes: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
  ...{ operationId: id, target: 'bad-engine', token: id },
  ...{ createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() },
  deadline: new Date(Date.now() + 60_000).toISOString(),
  ...changes,
});

async function getError(call: Promise<unknown>): Promise<FleetError> {
  return call.then(
    () => Promise.reject(new Error('expected a rejection')),
    (error: FleetError) => error,
  );
}

type Make = () => Journal | Promise<Journal>;
const createJournal = (pool: pg.PoolConfig, more: object = {}): Journal =>
  postgresJournal(server.pool(pool), { timeoutMs: 500, ...more });

const cases: readonly [what: string, make: Make, code: string, says: RegExp][] = [
  [
    'an engine that is not running',
    async () => createJournal({ port: await findFreePort() }),
    'STORE_UNAVAILABLE',
    /^The Postgres journal failed: connect ECONNREFUSED 127\.0\.0\.1:\d+\. Check that Postgres is running, and check the host and port\.$/,
  ],
  [
    'an unknown database',
    () => createJournal({ database: 'nowhere' }),
    'STORE_UNAVAILABLE',
    /database "nowhere" does not exist \(3D000\)\. Create the database, or correct its name\.$/,
  ],
  [
    'an expired password',
    () => createJournal({ user: 'expiring', password: 'right' }),
    'STORE_CREDENTIALS',
    /failed: password authentication failed for user "expiring" \(28P01\)\. Check the user and the password\. The password may have expired\.$/,
  ],
  [
    'a missing password',
    () => createJournal({ user: 'expiring' }),
    'STORE_CREDENTIALS',
    /must be a string\. Set the password in the options of the pool, in PGPASSWORD or in ~\/\.pgpass\.$/,
  ],
  [
    'a user without permissions',
    () => createJournal({ user: 'stranger' }),
    'STORE_CREDENTIALS',
    /^The Postgres journal failed: permission denied for schema orgchat \(42501\)\. Grant this user /,
  ],
  [
    'tables that were never made',
    () => createJournal({}, { schema: 'nothing_here' }),
    'STORE_NOT_MIGRATED',
    /relation "nothing_here\.migrations" does not exist \(42P01\)\. Call migrate\(pool\) of @orgchat\/fleet\/postgres first\.$/,
  ],
  [
    'tables of a later version',
    () => createJournal({}, { schema: 'later' }),
    'STORE_VERSION',
    /^The Postgres journal requires version 2 of the tables in schema "later"; they have version 3\. Update @orgchat\/fleet\.$/,
  ],
  [
    'a read-only session',
    () => createJournal({ options: '-c default_transaction_read_only=on' }),
    'STORE_READ_ONLY',
    /^The Postgres journal failed: cannot execute INSERT in a read-only transaction \(25006\)\. Connect to the primary, /,
  ],
  [
    'a standby that follows a primary',
    () => postgresJournal(standby.pool(), { timeoutMs: 500 }),
    'STORE_READ_ONLY',
    /^The Postgres journal failed: cannot execute INSERT in a read-only transaction \(25006\)\. Connect to the primary, /,
  ],
  [
    'an engine of an old version',
    () => {
      const query = async () => ({ rows: [{ engine: 90_624, tables: 2 }] });
      return postgresJournal({ query, exec: () => undefined, waitReady: true } as never);
    },
    'STORE_VERSION',
    /^The Postgres journal requires Postgres 12 or later; this one has version 9\.$/,
  ],
];

describe.each(cases)('%s', (_what, make, code, says) => {
  test('is reported with what to do', async () => {
    const error = await getError(Promise.resolve((await make()).add(entry('bad'))));
    expect(error).toMatchObject({ name: 'FleetError', code, reason: 'journal-unavailable' });
    expect(error.message).toMatch(says);
  });

  test('has nothing sent', async () => {
    const mock = createMock();
    const client = createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
      journal: await make(),
    });
    const error = await getError(client.tags.create({ name: 'VIP', color: 'pink' }));
    expect(error).toMatchObject({ code: 'JOURNAL_FAILED', reason: 'journal-unavailable', cause: { code } });
    expect(mock.requests.list()).toEqual([]);
  });
});

test('a read-only engine can still be read', async () => {
  await postgresJournal(admin).add(entry('readable'));
  for (const journal of [
    createJournal({ options: '-c default_transaction_read_only=on' }),
    postgresJournal(standby.pool()),
  ]) {
    const ids = async () => (await journal.list('bad-engine')).entries.map(({ operationId }) => operationId);
    // A standby is a moment behind.
    await expect.poll(ids).toContain('readable');
  }
});

test('the pacing and the outbox report a standby too', async () => {
  const pacing = postgresPacing(standby.pool());
  const asked = pacing.reserve({ line: 'l', place: 'p', perMinute: 1, holdMs: 1 });
  expect(await getError(asked)).toMatchObject({ code: 'STORE_READ_ONLY' });
  const pool = standby.pool();
  const tx = await pool.connect();
  await tx.query('BEGIN');
  const change = { action: 'create-tags', data: { name: 'VIP', color: 'pink' } } as const;
  expect(await getError(outbox(pool, { organization }).add(tx, change))).toMatchObject({
    code: 'STORE_READ_ONLY',
  });
  tx.release(true);
  expect(await getError(migrate(standby.pool()))).toMatchObject({ code: 'STORE_READ_ONLY' });
});

test('migrate() reports an engine that cannot be used', async () => {
  const refused = migrate(server.pool({ user: 'stranger' }), { schema: 'theirs' });
  expect(await getError(refused)).toMatchObject({ code: 'STORE_CREDENTIALS', systemCode: '42501' });
  const error = await getError(migrate(admin, { schema: 'later' }));
  expect(error.message).toBe(
    'migrate() found tables of a later version in schema "later". Update @orgchat/fleet, or use another schema.',
  );
});

test('what is not an entry is reported as a problem, and blocks nothing else', async () => {
  const journal = postgresJournal(admin);
  for (const id of ['cut', 'newer', 'sound']) await journal.add(entry(id, { target: 'problems' }));
  await admin.query(`UPDATE orgchat.journal SET entry = '{"operationId":' WHERE operation_id = 'cut'`);
  await admin.query(
    `UPDATE orgchat.journal SET entry = replace(entry, '"format":2', '"format":3') WHERE operation_id = 'newer'`,
  );
  const { entries, problems } = await journal.list('problems', { open: true });
  expect(entries.map(({ operationId }) => operationId)).toEqual(['sound']);
  expect(problems.map(({ location, reason }) => `${location} ${reason}`).sort()).toEqual([
    'cut truncated',
    'newer format',
  ]);
  const error = await getError(Promise.resolve(journal.get({ operationId: 'cut', target: 'problems' })));
  expect(error).toMatchObject({ reason: 'journal-entry-unusable' });
});

test('settled entries are removed after the days that were given', async () => {
  const journal = postgresJournal(server.pool(), { keepSettledDays: 2 });
  for (const id of ['old', 'new', 'open']) await journal.add(entry(id, { target: 'cleaning' }));
  await journal.settle(entry('old', { target: 'cleaning', state: 'applied' }));
  await admin.query(
    `UPDATE orgchat.journal SET settled_at = now() - interval '3 days', created_at = '2020' WHERE operation_id IN ('old', 'open')`,
  );
  // A new process cleans with its first settlement.
  await postgresJournal(server.pool(), { keepSettledDays: 2 }).settle(
    entry('new', { target: 'cleaning', state: 'applied' }),
  );
  const ids = async () =>
    (await journal.list('cleaning')).entries.map(({ operationId }) => operationId).sort();
  await expect.poll(ids).toEqual(['new', 'open']);
});

test('behind pgbouncer in transaction mode, leases alone say how long an entry is held, and a warning says so', async () => {
  const bouncer = await startPgbouncer(server.port);
  try {
    const warnings: StoreWarning[] = [];
    const pool = () => server.pool({ port: bouncer.port });
    const open = () => postgresJournal(pool(), { onWarning: (warning) => void warnings.push(warning) });
    const journal = open();
    const held = entry('bounced', { deadline: new Date(Date.now() - 2_000).toISOString() });
    await expect.poll(() => journal.add(held), { timeout: 10_000 }).toBe(true);
    expect(warnings.map(({ code }) => code)).toEqual(['LEASE_ONLY']);
    expect(warnings[0]?.message).toMatch(
      /^A connection pooler such as pgbouncer is in front of Postgres, so /,
    );
    await journal.list('bad-engine');
    await journal.claim(held, { token: 'bounced', deadline: held.deadline });
    expect(warnings).toHaveLength(1);
    const hold = { token: 'other', deadline: entry('x').deadline };
    const other = open();
    expect((await other.claim(held, hold))?.entry).toBeUndefined();
    await sleep(3_100);
    expect((await other.claim(held, hold))?.entry?.token).toBe('other');
    expect(await journal.settle({ ...held, state: 'applied' })).toBe(false);
  } finally {
    await bouncer.stop();
  }
});

test('a process ends when its pool has ended, or when it has nothing else to do', async () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const program = `
    import pg from 'pg';
    import { postgresJournal } from './packages/fleet/src/postgres.ts';
    const pool = new pg.Pool({ host: '127.0.0.1', port: ${server.port}, user: 'postgres', allowExitOnIdle: process.argv[1] === 'idle' });
    const journal = postgresJournal(pool);
    const entry = ${JSON.stringify(entry('ends'))};
    await journal.add({ ...entry, token: process.argv[1] });
    await journal.remove(entry);
    if (process.argv[1] !== 'idle') await pool.end();
  `;
  for (const how of ['end', 'idle']) {
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program, how];
    await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 20_000 });
  }
});

test.each<[object, RegExp]>([
  [{ schema: 'Bad Name' }, /^schema must be 1 to 63 lowercase letters, .* got "Bad Name"\.$/],
  [{ timeoutMs: 0 }, /^timeoutMs must be a number greater than 0; got 0\.$/],
  [{ keepSettledDays: 'x' }, /^keepSettledDays must be a number greater than 0; got x\.$/],
  [{ onWarning: 1 }, /^onWarning must be a function; got number\.$/],
  [{ table: 'x' }, /^"table" is not an option of postgresJournal\(\)\. Options: schema, timeoutMs, /],
])('options %j are refused at once', (options, says) => {
  expect(() => postgresJournal(admin, options as never)).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTIONS', message: expect.stringMatching(says) }),
  );
});

test.each([undefined, {}, 'postgres://localhost'])('%j is not a pool', async (pool) => {
  const says = /requires a pg Pool or a PGlite database\.$/;
  expect(() => postgresJournal(pool as never)).toThrow(says);
  await expect(migrate(pool as never)).rejects.toThrow(says);
});
