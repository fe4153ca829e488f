import { expect, onTestFinished, test, vi } from 'vitest';
import { migrate, outbox, postgresJournal, type StoreWarning } from '../../src/postgres.ts';
import { redisJournal } from '../../src/redis.ts';
import { createEntry, getError } from '../../test-support/engines/bad-engine.ts';
import { startPostgres } from '../../test-support/engines/postgres-server.ts';
import { startRedis } from '../../test-support/engines/redis-server.ts';
import { organization } from '../../test-support/organization.ts';

/* Settings of an engine that lose entries, and failures of a transaction that belongs to the application. */

test('Postgres that confirms what a crash loses gives a warning, once', async () => {
  const server = await startPostgres(['synchronous_commit=off']);
  onTestFinished(() => server.stop());
  const pool = server.pool();
  await migrate(pool);
  const warnings: StoreWarning[] = [];
  const onWarning = (warning: StoreWarning): void => void warnings.push(warning);
  for (const id of ['one', 'two']) await postgresJournal(pool, { onWarning }).add(createEntry(id));
  await expect.poll(() => warnings).toMatchObject([{ code: 'NOT_DURABLE' }]);
  expect(warnings[0]?.message).toContain('synchronous_commit');
});

test('Redis that begins to evict is refused within a minute, and accepted again', async () => {
  const server = await startRedis();
  onTestFinished(() => server.stop());
  const client = server.ioredis();
  const now = vi.spyOn(performance, 'now');
  onTestFinished(() => now.mockRestore());
  const moment = performance.now();
  const journal = redisJournal(client, { timeoutMs: 60_000_000, onWarning: () => undefined });
  await journal.get(createEntry('x'));
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  now.mockReturnValue(moment + 61_000);
  expect(await getError(journal.get(createEntry('x')))).toMatchObject({ code: 'STORE_EVICTION' });
  await client.config('SET', 'maxmemory-policy', 'noeviction');
  expect(await journal.get(createEntry('x'))).toBeUndefined();
});

test('a deadlock of the transaction that adds a change has its own code', async () => {
  const server = await startPostgres(['deadlock_timeout=100ms']);
  onTestFinished(() => server.stop());
  const pool = server.pool();
  await migrate(pool);
  const box = outbox(pool, { organization });
  const change = { action: 'create-tags', data: { name: 'VIP', color: 'pink' } } as const;
  const [one, other] = [await pool.connect(), await pool.connect()];
  await one.query('BEGIN');
  await other.query('BEGIN');
  await box.add(one, change, { intent: ['one'] });
  await box.add(other, change, { intent: ['other'] });
  const results = await Promise.allSettled([
    box.add(one, change, { intent: ['other'] }),
    box.add(other, change, { intent: ['one'] }).finally(() => other.query('ROLLBACK')),
  ]);
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(reasons).toMatchObject([{ code: '40P01' }]);
  // What the driver knows of the statement is not in it.
  expect(Object.keys(reasons[0])).not.toContain('where');
  one.release(true);
  other.release(true);
});
