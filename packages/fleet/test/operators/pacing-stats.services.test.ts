import type { PlaceRequest } from '@orgchat/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, postgresPacing, type StoredPacing } from '../../src/postgres.ts';
import { redisPacing } from '../../src/redis.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { type RedisServer, startRedis } from '../../test-support/engines/redis-server.ts';

/* How long the lines are, and how long the next request waits, as the decision about it then says. */

let postgres: PostgresServer;
let redis: RedisServer;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  await migrate(postgres.pool());
});
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

const request = (line: string, place: string, perMinute = 3): PlaceRequest => ({
  ...{ line, place, perMinute, holdMs: 20_000, maxWaitMs: undefined },
});

describe.each<[string, () => StoredPacing]>([
  ['Postgres', () => postgresPacing(postgres.pool())],
  ['Redis', () => redisPacing(redis.ioredis())],
])('the pacing in %s', (_name, open) => {
  test('counts what waits in all lines, and says how long the next request waits', async () => {
    const pacing = open();
    expect(await pacing.stats()).toEqual({ lines: 0, waiting: 0, inUse: 0, waitMs: undefined });
    expect(await pacing.stats({ perMinute: 3 })).toMatchObject({ waitMs: 0 });
    for (let n = 0; n < 3; n++) await pacing.reserve(request('busy', `sent ${n}`));
    await pacing.reserve(request('other', 'only'));
    for (let n = 0; n < 4; n++) await pacing.reserve(request('busy', `waiting ${n}`));
    await pacing.release({ line: 'busy', place: 'sent 0', isUnused: false });
    const { waitMs = 0, ...counts } = await pacing.stats();
    expect(counts).toEqual({ lines: 2, waiting: 4, inUse: 4 });
    const next = await pacing.reserve(request('busy', 'next'));
    expect(waitMs).toBeGreaterThan(61_000);
    expect(Math.abs(next.waitMs - waitMs)).toBeLessThan(20_000);
    // A program that only watches says by which limit.
    expect(Math.abs(((await open().stats({ perMinute: 3 })).waitMs ?? 0) - waitMs)).toBeLessThan(20_000);
  });

  test('counts a line that the server stopped', async () => {
    const pacing = open();
    await pacing.reserve(request('stopped', 'one', 60));
    await pacing.release({ line: 'stopped', place: 'one', isUnused: false, retryAfterMs: 400_000 });
    const { waitMs = 0 } = await pacing.stats({ perMinute: 60 });
    expect(waitMs).toBeGreaterThan(390_000);
    expect(waitMs).toBeLessThanOrEqual(400_000);
  });

  test('counts any number of lines', async () => {
    const pacing = open();
    const { lines } = await pacing.stats();
    await Promise.all(Array.from({ length: 130 }, (_, n) => pacing.reserve(request(`line ${n}`, 'one'))));
    expect((await pacing.stats()).lines).toBe(lines + 130);
  });
});
