import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal, JournalEntry } from '@orgchat/sdk';
import type { Redis } from 'ioredis';
import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { migrate, postgresJournal } from '../src/postgres.ts';
import { type RedisClient, redisJournal } from '../src/redis.ts';
import { type PostgresServer, startPostgres } from '../test-support/engines/postgres-server.ts';
import { type RedisServer, startRedis } from '../test-support/engines/redis-server.ts';
import { untilAnswered } from '../test-support/until-answered.ts';

/* What a journal sends to its engine. */

let postgres: PostgresServer;
let pool: pg.Pool;
let redis: RedisServer;
let admin: Redis;
const sent: string[] = [];

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  pool = postgres.pool({ max: 10 });
  admin = redis.ioredis();
  await migrate(pool);
});
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

/** A pool that notes its statements. */
const countedPool = {
  query: (text: string, values?: unknown[]) => {
    sent.push(text.trim().split(/\s/)[0] ?? '');
    return pool.query(text, values);
  },
};
/** A client that notes its commands. */
const countedClient: RedisClient = {
  ...{ status: 'ready', on: () => undefined },
  call(command, ...args) {
    sent.push(command);
    return admin.call(command, ...args);
  },
};

const entry: JournalEntry = {
  ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
  ...{ operationId: 'one', target: 'counted', token: 't', createdAt: '2026-01-01', updatedAt: '2026-01-01' },
  deadline: new Date(Date.now() + 60_000).toISOString(),
};

test.each<[string, () => Journal, string[]]>([
  ['statement', () => postgresJournal(countedPool, { onWarning: () => undefined }), ['INSERT', 'UPDATE']],
  ['script', () => redisJournal(countedClient), ['EVALSHA', 'EVALSHA']],
])('a change costs one %s before it is sent, and one after the answer', async (_what, open, expected) => {
  const journal = open();
  await journal.add(entry);
  await journal.settle({ ...entry, state: 'applied' });
  sent.length = 0;
  await journal.add({ ...entry, operationId: 'two' });
  await journal.settle({ ...entry, operationId: 'two', state: 'applied' });
  expect(sent).toEqual(expected);
});

test('an idle journal in Postgres sends no query', async () => {
  const journal = postgresJournal(postgres.pool({ application_name: 'idle_journal' }));
  await journal.list('nothing');
  const last = async () => {
    const { rows } = await pool.query(
      "SELECT max(query_start)::text AS at, count(*)::int AS sessions FROM pg_stat_activity WHERE application_name = 'idle_journal'",
    );
    return rows[0];
  };
  const before = await last();
  // Longer than the three seconds after which a process asks that holds something.
  await sleep(3_500);
  expect(await last()).toEqual(before);
});

test('a journal in Redis that holds nothing sends nothing, and one that holds something a heartbeat per second', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const journal = redisJournal(countedClient, { prefix: 'idle' });
  await journal.add(entry);
  const countBeats = () => sent.filter((command) => command === 'EVALSHA').length;
  sent.length = 0;
  for (const beats of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.poll(countBeats).toBe(beats);
    // The next one waits for the answer to this one.
    await untilAnswered(admin);
  }
  await journal.settle({ ...entry, state: 'applied' });
  sent.length = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
