import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRetention } from '../../src/postgres/retention.ts';
import { createStatementRunner } from '../../src/postgres/statement-runner.ts';
import { migrate, outbox } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { createScriptedClient, organization } from '../../test-support/organization.ts';

/*
 * A statement that takes a batch takes no more, however the engine executes it. Its plan depends on how many rows the engine
 * believes a table to have: with one row, it runs a plain subquery again for each row that there is.
 */

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres(['autovacuum=off']);
  pool = server.pool();
  await migrate(pool);
});
afterAll(() => server.stop());
beforeEach(() => pool.query('TRUNCATE orgchat.outbox, orgchat.journal'));

/** Inserts one row, lets the engine count, and inserts the others. */
async function insertUncounted(count: number, insert: string): Promise<void> {
  await pool.query(insert, [1, 1]);
  await pool.query('ANALYZE orgchat.outbox, orgchat.journal');
  await pool.query(insert, [2, count]);
}

test('a relay takes ten changes at once', async () => {
  const count = 40;
  await insertUncounted(
    count,
    `INSERT INTO orgchat.outbox (organization, name, operation_id, change)
     SELECT '${organization}', 'default', gen_random_uuid(), '{"action":"create-tags","data":{"name":"a","color":"pink"}}'
     FROM generate_series($1::int, $2::int)`,
  );
  const taken: number[] = [];
  const client = createScriptedClient(async () => {
    const { rows } = await pool.query(
      'SELECT count(*)::int AS taken FROM orgchat.outbox WHERE token IS NOT NULL',
    );
    taken.push(rows[0].taken);
    return { applied: true };
  });
  expect(await outbox(pool, { organization }).drain(client)).toEqual({ applied: count, left: [] });
  expect(Math.max(...taken)).toBe(10);
});

test('old entries are removed a thousand at once', async () => {
  await insertUncounted(
    2_500,
    `INSERT INTO orgchat.journal (operation_id, target, is_open, settled_at, created_at, deadline, entry)
     SELECT g, 'target', false, now() - interval '30 days', now(), now(), '{}' FROM generate_series($1::int, $2::int) g`,
  );
  const runner = createStatementRunner(pool, {
    what: 'The journal',
    store: 'postgresJournal',
    schema: undefined,
    timeoutMs: 5_000,
  });
  const removed: number[] = [];
  const counted = {
    ...runner,
    async run(...args: Parameters<typeof runner.run>) {
      const rows = await runner.run(...args);
      removed.push(rows.length);
      return rows;
    },
  };
  createRetention(counted, 7).afterSettlement();
  await expect.poll(() => removed).toEqual([1_000, 1_000, 500]);
});
