import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, outbox, postgresJournal, postgresPacing } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { inTransaction } from '../../test-support/in-transaction.ts';
import { organization } from '../../test-support/organization.ts';

/* migrate(): what it needs, and what it may not stop. */

let server: PostgresServer;
let admin: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  admin = server.pool();
  await migrate(admin);
});
afterAll(() => server.stop());

const vip = { action: 'create-tags', data: { name: 'VIP', color: 'pink' } } as const;

/** Begins a transaction that has added a change and does not end. */
async function openTransaction(schema: string): Promise<pg.PoolClient> {
  const tx = await admin.connect();
  await tx.query('BEGIN');
  await outbox(admin, { organization, schema }).add(tx, vip);
  return tx;
}

test.each(['read committed', 'repeatable read', 'serializable'])(
  'many programs whose default is %s may migrate at once, and again',
  async (level) => {
    const schema = level.replace(' ', '_');
    const options = `-c default_transaction_isolation=${level.replace(' ', '\\ ')}`;
    const pools = Array.from({ length: 8 }, () => server.pool({ max: 1, options }));
    // Connected, so that all of them begin at the same moment.
    await Promise.all(pools.map((one) => one.query('SELECT')));
    await Promise.all(pools.map((one) => migrate(one, { schema })));
    await migrate(admin, { schema });
    const { rows } = await admin.query(`SELECT version, oldest_program FROM ${schema}.migrations`);
    expect(rows).toEqual([{ version: 1, oldest_program: 1 }]);
  },
);

test('with tables that are up to date, it reads their version and sends nothing else', async () => {
  const sent: string[] = [];
  const query = (text: string, values?: unknown[]) => {
    sent.push(text.trim().split(/\s/)[0] ?? '');
    return admin.query(text, values);
  };
  await migrate({ query });
  expect(sent).toEqual(['SELECT']);
});

test('a worker that starts stops nobody while a transaction with a change is open', async () => {
  const tx = await openTransaction('orgchat');
  try {
    await migrate(server.pool());
    const other = await openTransaction('orgchat');
    await other.query('ROLLBACK');
    other.release();
  } finally {
    await tx.query('ROLLBACK');
    tx.release();
  }
});

test('an update of the tables gives up after 2 s behind an open transaction, and changes nothing', async () => {
  await migrate(admin, { schema: 'behind' });
  const tx = await openTransaction('behind');
  await admin.query('DELETE FROM behind.migrations');
  await expect(migrate(server.pool(), { schema: 'behind' })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    systemCode: '55P03',
    message:
      'migrate() failed: another transaction held a lock that it needs for 2000 ms. Nothing was changed. Call it again when that transaction has ended; pg_stat_activity shows it.',
  });
  expect((await admin.query('SELECT version FROM behind.migrations')).rows).toEqual([]);
  await tx.query('COMMIT');
  tx.release();
  await migrate(server.pool(), { schema: 'behind' });
});

test('a migrator and a worker need no more than the grants of its page', async () => {
  for (const statement of [
    'CREATE ROLE migrator LOGIN',
    'CREATE ROLE worker LOGIN',
    'CREATE SCHEMA granted',
    'GRANT USAGE, CREATE ON SCHEMA granted TO migrator',
    'GRANT USAGE ON SCHEMA granted TO worker',
    'ALTER DEFAULT PRIVILEGES FOR ROLE migrator IN SCHEMA granted GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO worker',
    'REVOKE CREATE ON DATABASE postgres FROM PUBLIC',
  ])
    await admin.query(statement);
  const [migrator, worker] = [server.pool({ user: 'migrator' }), server.pool({ user: 'worker' })];
  const schema = 'granted';
  await expect(migrate(worker, { schema })).rejects.toMatchObject({ code: 'STORE_CREDENTIALS' });
  await migrate(migrator, { schema });
  await migrate(migrator, { schema });
  // Every worker may call it at every start.
  await migrate(worker, { schema });

  const mock = createMock();
  const client = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
    ...{
      journal: postgresJournal(worker, { schema }),
      pacing: { shared: postgresPacing(worker, { schema }) },
    },
  });
  const { operationId } = await client.tags.create({ name: 'Direct', color: 'pink' }, { intent: ['direct'] });
  const box = outbox(worker, { organization, schema });
  for (const change of [vip, { ...vip, action: 'unknown' as never }]) {
    const intent = ['from the outbox', change.action];
    await inTransaction(worker, (tx) => box.add(tx, change, { intent }));
  }
  const { applied, left } = await box.drain(client);
  expect([applied, left.map(({ state }) => state)]).toEqual([1, ['refused']]);
  const [refused] = left;
  const tx = await worker.connect();
  await box.add(tx, vip, { intent: ['from the outbox', 'unknown'] });
  tx.release();
  expect(await box.remove(`${refused?.operationId}`)).toBe(true);
  expect(await client.operations.resumeAll()).toEqual([]);
  expect(await client.operations.forget(operationId)).toBe(true);
});
