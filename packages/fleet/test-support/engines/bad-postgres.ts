import type { Journal } from '@orgchat/sdk';
import type pg from 'pg';
import { expect } from 'vitest';
import { migrate, postgresJournal } from '../../src/postgres.ts';
import { findFreePort } from '../free-port.ts';
import { type BadEngine, createEntry } from './bad-engine.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

let server: PostgresServer;
let admin: pg.Pool;
let standby: PostgresServer;

const createJournal = (pool: pg.PoolConfig, more: object = {}): Journal =>
  postgresJournal(server.pool(pool), { timeoutMs: 2_000, ...more });
const readOnly = { options: '-c default_transaction_read_only=on' };

const createProgram = (how: 'end' | 'idle') => `
  import pg from 'pg';
  import { postgresJournal } from './packages/fleet/src/postgres.ts';
  const pool = new pg.Pool({ host: '127.0.0.1', port: ${server.port}, user: 'postgres', allowExitOnIdle: ${how === 'idle'} });
  const journal = postgresJournal(pool);
  const entry = ${JSON.stringify(createEntry(how))};
  await journal.add(entry);
  await journal.remove(entry);
  ${how === 'end' ? 'await pool.end();' : ''}
`;

/** Postgres, and how it can be bad. */
export const badPostgres: BadEngine = {
  cases: [
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
      /^The Postgres journal cannot use the tables in schema "later": they have version 3, which requires a program for version 2 or later\. This program is for version 1\. Update @orgchat\/fleet\.$/,
    ],
    [
      'a read-only session',
      () => createJournal(readOnly),
      'STORE_READ_ONLY',
      /^The Postgres journal failed: cannot execute INSERT in a read-only transaction \(25006\)\. Connect to the primary, /,
    ],
    [
      'a standby that follows a primary',
      () => postgresJournal(standby.pool(), { timeoutMs: 2_000 }),
      'STORE_READ_ONLY',
      /^The session lock of this process failed: this engine is a standby, .* \(25006\)\. Connect to the primary, /,
    ],
    [
      'an engine of an old version',
      () => {
        const query = async () => ({ rows: [{ engine: 90_624, version: 1, oldest_program: 1 }] });
        return postgresJournal({ query, exec: () => undefined, waitReady: true } as never);
      },
      'STORE_VERSION',
      /^The Postgres journal requires Postgres 12 or later; this one has version 9\.$/,
    ],
  ],
  async start() {
    server = await startPostgres();
    admin = server.pool();
    await migrate(admin);
    await migrate(admin, { schema: 'later' });
    await admin.query('INSERT INTO later.migrations (version, oldest_program) VALUES (3, 2)');
    await admin.query("CREATE ROLE expiring LOGIN PASSWORD 'right' VALID UNTIL '2020-01-01'");
    await admin.query('CREATE ROLE stranger LOGIN');
    standby = await startPostgres([], { standbyOf: server.port });
  },
  async stop() {
    await standby.stop();
    await server.stop();
  },
  open: (options) => postgresJournal(server.pool(), options),
  openReadOnly: () => [createJournal(readOnly), postgresJournal(standby.pool())],
  damaged: { cut: 'truncated', newer: 'format' },
  async damage() {
    await admin.query(`UPDATE orgchat.journal SET entry = '{"operationId":' WHERE operation_id = 'cut'`);
    await admin.query(
      `UPDATE orgchat.journal SET entry = replace(entry, '"format":2', '"format":3') WHERE operation_id = 'newer'`,
    );
  },
  age: (ids) =>
    admin.query(
      "UPDATE orgchat.journal SET settled_at = now() - interval '3 days' WHERE target = 'cleaning' AND operation_id = ANY($1)",
      [ids],
    ),
  untilUsed: (id) => {
    const query =
      "SELECT settled_at > now() - interval '1 day' AS is_used FROM orgchat.journal WHERE operation_id = $1";
    return expect.poll(async () => (await admin.query(query, [id])).rows).toEqual([{ is_used: true }]);
  },
  programs: [
    ['when its pool has ended', () => createProgram('end')],
    ['when it has nothing else to do', () => createProgram('idle')],
  ],
};
