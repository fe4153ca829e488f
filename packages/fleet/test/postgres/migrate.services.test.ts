import { randomUUID } from 'node:crypto';
import type { JournalEntry } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, postgresJournal } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/postgres-server.ts';

/* The tables of earlier versions of this package. */

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = server.pool();
});
afterAll(() => server.stop());

const entry = (target: string): JournalEntry => ({
  ...{ format: 2, kind: 'keywords', path: '', body: '{}', state: 'unknown', attempts: 0 },
  ...{ operationId: randomUUID(), target, token: 't', createdAt: '2026', updatedAt: '2026' },
  deadline: '2026-01-01T00:00:00.000Z',
});

test('version 1, whose locks and texts were entries, keeps its operations', async () => {
  await migrate(pool);
  const [kept, text] = [entry('https://example.com'), entry('orgchat cli')];
  const journal = postgresJournal(pool);
  for (const one of [kept, text]) {
    await journal.add(one);
    await journal.settle(one);
  }
  await pool.query('DROP TABLE orgchat.locks; UPDATE orgchat.migrations SET version = 1');
  await expect(postgresJournal(pool).get(kept)).rejects.toMatchObject({ code: 'STORE_NOT_MIGRATED' });
  await migrate(pool);
  const migrated = postgresJournal(pool);
  expect(await migrated.get(kept)).toEqual(kept);
  expect(await migrated.get(text)).toBeUndefined();
  const { rows } = await pool.query(
    "SELECT to_regclass('orgchat.locks') IS NOT NULL AS has_locks, array_agg(version ORDER BY version) AS versions FROM orgchat.migrations",
  );
  expect(rows).toEqual([{ has_locks: true, versions: [1, 2] }]);
});

test('many programs may migrate at once, and again', async () => {
  const pools = Array.from({ length: 8 }, () => server.pool({ max: 1 }));
  await Promise.all(pools.map((one) => migrate(one, { schema: 'at_once' })));
  await migrate(pool, { schema: 'at_once' });
  const { rows } = await pool.query('SELECT version FROM at_once.migrations');
  expect(rows).toEqual([{ version: 2 }]);
});
