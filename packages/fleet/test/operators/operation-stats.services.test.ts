import { encryptedJournal } from '@orgchat/sdk/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, postgresJournal } from '../../src/postgres.ts';
import { redisJournal } from '../../src/redis.ts';
import { createEntry } from '../../test-support/engines/bad-engine.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { type RedisServer, startRedis } from '../../test-support/engines/redis-server.ts';

/* Operations are counted in the engine, page by page: no entry is sent to the process that asks. */

let postgres: PostgresServer;
let redis: RedisServer;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  await migrate(postgres.pool());
});
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

describe.each([
  ['Postgres', () => postgresJournal(postgres.pool())],
  ['Redis', () => redisJournal(redis.ioredis())],
])('in %s', (_name, open) => {
  test('a body that looks like an entry is not counted as one', async () => {
    const journal = open();
    const trick = JSON.stringify({ state: 'applied', text: '"state":"abandoned"' });
    await journal.add(createEntry('trick', { target: 'trick', body: trick, fingerprint: trick }));
    expect(await journal.stats?.('trick')).toMatchObject({ pending: 1, applied: 0, abandoned: 0, open: 1 });
  });

  test('encrypted entries are counted', async () => {
    const journal = encryptedJournal(open(), new Uint8Array(32));
    const entry = createEntry('secret', { target: 'secret' });
    await journal.add(entry);
    await journal.settle({ ...entry, state: 'refused' });
    expect(await journal.stats?.('secret')).toMatchObject({ pending: 0, refused: 1, open: 0 });
  });
});

test('many entries in Postgres are counted in short statements', async () => {
  const pool = postgres.pool();
  await pool.query(`
    INSERT INTO orgchat.journal (target, operation_id, created_at, is_open, entry, deadline)
    SELECT 'many', n::text, '2026-11-' || lpad((n / 10000)::text, 2, '0'), n % 10 = 0,
      CASE WHEN n = 7 THEN 'garbage' ELSE
        '{"body":"{}","state":"' || CASE WHEN n % 10 = 0 THEN 'unknown' ELSE 'refused' END || '"}' END, ''
    FROM generate_series(1, 25000) AS n`);
  const statements: string[] = [];
  const watched = {
    query(text: string, values?: unknown[]) {
      statements.push(text);
      return pool.query(text, values);
    },
  };
  expect(await postgresJournal(watched).stats?.('many')).toEqual({
    ...{ pending: 0, unknown: 2_500, applied: 0, refused: 22_499, abandoned: 0 },
    ...{ open: 2_500, oldestOpenAt: '2026-11-00' },
  });
  expect(statements.filter((text) => text.includes('WITH page'))).toHaveLength(3);
});

test('many entries in Redis are counted in short scripts', async () => {
  const client = redis.ioredis();
  const journal = redisJournal(client);
  const entries = Array.from({ length: 2_100 }, (_, n) =>
    createEntry(`${n}`, { target: 'many', createdAt: `2026-11-25T00:${10 + Math.floor(n / 100)}` }),
  );
  await Promise.all(entries.map((entry) => journal.add(entry)));
  expect(await journal.stats?.('many')).toMatchObject({
    ...{ pending: 2_100, open: 2_100, oldestOpenAt: '2026-11-25T00:10' },
  });
});
