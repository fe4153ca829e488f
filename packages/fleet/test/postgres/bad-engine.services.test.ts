import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, outbox, postgresJournal, postgresPacing, type StoreWarning } from '../../src/postgres.ts';
import { createEntry, getError } from '../../test-support/engines/bad-engine.ts';
import { startPgbouncer } from '../../test-support/engines/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { organization } from '../../test-support/organization.ts';

/* What only Postgres has: a standby, tables of other versions, poolers, and the options of its stores. */

let server: PostgresServer;
let admin: pg.Pool;
let standby: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
  admin = server.pool();
  await migrate(admin);
  await migrate(admin, { schema: 'later' });
  await admin.query('INSERT INTO later.migrations (version, oldest_program) VALUES (3, 2)');
  await admin.query('CREATE ROLE stranger LOGIN');
  standby = await startPostgres([], { standbyOf: server.port });
});
afterAll(async () => {
  await standby.stop();
  await server.stop();
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
  // It only looks, unless something is missing.
  await migrate(standby.pool());
  expect(await getError(migrate(standby.pool(), { schema: 'missing' }))).toMatchObject({
    code: 'STORE_READ_ONLY',
  });
});

test('migrate() reports an engine that cannot be used', async () => {
  const refused = migrate(server.pool({ user: 'stranger' }), { schema: 'theirs' });
  expect(await getError(refused)).toMatchObject({ code: 'STORE_CREDENTIALS', systemCode: '42501' });
  const error = await getError(migrate(admin, { schema: 'later' }));
  expect(error.message).toBe(
    'migrate() cannot use the tables in schema "later": they have version 3, which requires a program for version 2 or later. This program is for version 1. Update @orgchat/fleet.',
  );
});

test('behind pgbouncer in transaction mode, leases alone say how long an entry is held, and a warning says so', async () => {
  const bouncer = await startPgbouncer(server.port);
  try {
    const warnings: StoreWarning[] = [];
    const pool = () => server.pool({ port: bouncer.port });
    const open = () => postgresJournal(pool(), { onWarning: (warning) => void warnings.push(warning) });
    const journal = open();
    const held = createEntry('bounced', { deadline: new Date().toISOString() });
    await expect.poll(() => journal.add(held)).toBe(true);
    expect(warnings.map(({ code }) => code)).toEqual(['LEASE_ONLY']);
    expect(warnings[0]?.message).toMatch(
      /^A connection pooler such as pgbouncer is in front of Postgres, so /,
    );
    await journal.list('bad-engine');
    await journal.claim(held, { token: 'bounced', deadline: held.deadline });
    expect(warnings).toHaveLength(1);
    const hold = { token: 'other', deadline: createEntry('x').deadline };
    const other = open();
    expect((await other.claim(held, hold))?.entry).toBeUndefined();
    const claim = async () => (await other.claim(held, hold))?.entry?.token;
    await expect.poll(claim, { interval: 200 }).toBe('other');
    expect(await journal.settle({ ...held, state: 'applied' })).toBe(false);
  } finally {
    await bouncer.stop();
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
