import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../fleet/test-support/engines/postgres-server.ts';
import { type RedisServer, startRedis } from '../../../fleet/test-support/engines/redis-server.ts';
import { createMachines, type Machines } from '../../test-support/machines.ts';

/* With a shared journal, doctor says what a worker would only notice under load or in a failure. */

let postgres: PostgresServer;
let redis: RedisServer;
let machines: Machines;
const toUrl = (user: string): string => `postgres://${user}@127.0.0.1:${postgres.port}/postgres`;

interface Row {
  readonly check: string;
  readonly result: string;
  readonly detail: string;
  readonly hint?: string;
}

beforeAll(async () => {
  [postgres, redis] = await Promise.all([
    startPostgres(),
    startRedis(['--maxmemory-policy', 'allkeys-lru', '--maxmemory', '100mb']),
  ]);
  machines = await createMachines(toUrl('postgres'));
  await machines.add().run('ops', 'migrate');
  const pool = postgres.pool({ max: 1 });
  await pool.query('CREATE ROLE reader LOGIN; ALTER ROLE reader SET synchronous_commit = off');
  await pool.query('REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA orgchat FROM PUBLIC');
  await pool.query(
    'GRANT USAGE ON SCHEMA orgchat TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA orgchat TO reader',
  );
});
afterAll(async () => {
  await machines.end();
  await Promise.all([postgres.stop(), redis.stop()]);
});

async function doctor(journal: string): Promise<{ code: number | null; rows: ReadonlyMap<string, Row> }> {
  const { code, json } = await machines.add({ ORGCHAT_JOURNAL: journal }).run('doctor');
  const rows = (json.checks as unknown as readonly Row[]).map((row) => [row.check, row] as const);
  return { code, rows: new Map(rows) };
}

test('grants, durability, isolation and what is stuck in Postgres', async () => {
  const { code, rows } = await doctor(toUrl('postgres'));
  expect(code).toBe(0);
  for (const check of ['grants', 'isolation', 'snapshots', 'stuck operations', 'outbox'])
    expect(rows.get(check)).toMatchObject({ result: 'ok' });

  const reader = await doctor(toUrl('reader'));
  expect(reader.code).toBe(4);
  const grants = reader.rows.get('grants');
  expect(grants).toMatchObject({ result: 'failed', detail: expect.stringContaining('INSERT on journal') });
  expect(grants?.detail).toContain('EXECUTE on routine take_place');
  expect(reader.rows.get('durability')).toMatchObject({ result: 'warning' });

  // The advice is what it says.
  await postgres.pool({ max: 1 }).query(grants?.hint?.replace('Grant it: ', '') ?? '');
  expect((await doctor(toUrl('reader'))).rows.get('grants')).toMatchObject({ result: 'ok' });

  const pool = postgres.pool({ max: 1 });
  await pool.query(
    `INSERT INTO orgchat.outbox (organization, name, operation_id, change, created_at)
     VALUES ('org_demo', 'default', 'old', '{"action":"create-tags"}', now() - interval '2 days'),
       ('org_demo', 'invoices', 'old', '{"action":"create-tags"}', now() - interval '3 days'),
       ('org_demo', 'fresh', 'new', '{"action":"create-tags"}', now()),
       ('org_other', 'theirs', 'old', '{"action":"create-tags"}', now() - interval '2 days')`,
  );
  const outboxes = await doctor(toUrl('postgres'));
  expect(outboxes.rows.get('outbox')).toMatchObject({
    result: 'warning',
    detail: '1 open, the oldest for 48 h; 0 refused, 0 unknown',
  });
  expect(outboxes.rows.get('outbox invoices')).toMatchObject({
    result: 'warning',
    detail: '1 open, the oldest for 72 h; 0 refused, 0 unknown',
    hint: 'Look at them: orgchat outbox list --outbox invoices',
  });
  expect(outboxes.rows.get('outbox fresh')).toMatchObject({ result: 'ok' });
  expect(outboxes.rows.has('outbox theirs')).toBe(false);
});

test('eviction in Redis', async () => {
  const { code, rows } = await doctor(`redis://127.0.0.1:${redis.port}`);
  expect(code).not.toBe(0);
  expect(rows.get('eviction')).toMatchObject({
    result: 'failed',
    hint: expect.stringContaining('noeviction'),
  });
});
