import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { startFaultyNetwork } from '../../test-support/faulty-network.ts';
import {
  checkMinute,
  createOpenLine,
  crowd,
  lineCases,
  windowMs,
  worstWindow,
} from '../../test-support/pacing-line.ts';
import { startWorker } from '../../test-support/programs/start-worker.ts';
import { startSilentServer } from '../../test-support/silent-server.ts';
import { minuteMs } from '../pacing-rules.ts';
import { migrate, postgresPacing, type Queryable } from '../postgres.ts';
import { createPostgresPacing } from './pacing.ts';

/* Pacing that machines share, on a real Postgres. Most tests have a window of a second instead of a minute. */

let server: PostgresServer;
let admin: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  admin = server.pool({ max: 4 });
  await migrate(admin);
});
afterAll(() => server.stop());

const openLine = createOpenLine(() => createPostgresPacing(server.pool({ max: 4 }), {}, windowMs));

describe('a line', () => {
  // Each has a line of its own, so they wait at the same time.
  test.concurrent.each(lineCases)('%s', async (_what, check) => check(openLine));

  test('is kept over a kill of the engine', async () => {
    const line = openLine(2, { holdMs: 60_000 });
    await line.reserve('a');
    await line.reserve('b');
    await server.kill('SIGKILL');
    await server.start();
    expect((await line.reserve('c')).state).toBe('waiting');
  });

  test('decides in one round trip', async () => {
    let queries = 0;
    const pool = { query: (text: string, values?: unknown[]) => ++queries && admin.query(text, values) };
    const line = createOpenLine(() => createPostgresPacing(pool as Queryable, {}, windowMs))(5);
    await line.reserve('a');
    queries = 0;
    await line.reserve('b');
    await line.reserve('c');
    expect(queries).toBe(2);
  });
});

test('a place counts for a minute and a second of slack after its answer', () =>
  checkMinute(postgresPacing(admin)));

test('the tests detect pacing that counts per fixed window', async () => {
  await migrate(admin, { schema: 'planted' });
  await admin.query(`
    CREATE TABLE planted.counters (line text, number bigint, used integer, PRIMARY KEY (line, number));
    CREATE OR REPLACE FUNCTION planted.reserve_place(
      its_line text, its_place text, per_window integer, max_wait_ms float8, hold_ms float8, window_ms float8
    ) RETURNS TABLE (state text, wait_ms float8, ask_again_ms float8) LANGUAGE plpgsql AS $$
    DECLARE now_ms float8 := extract(epoch FROM clock_timestamp()) * 1000; count integer;
    BEGIN
      INSERT INTO planted.counters AS c VALUES (its_line, floor(now_ms / window_ms), 1)
        ON CONFLICT (line, number) DO UPDATE SET used = c.used + 1 RETURNING c.used INTO count;
      RETURN QUERY SELECT CASE WHEN count <= per_window THEN 'granted' ELSE 'waiting' END, 20::float8, 20::float8;
    END $$`);
  const pool = {
    query: (text: string, values?: unknown[]) => admin.query(text.replaceAll('"orgchat"', 'planted'), values),
  };
  // The counter starts at zero in the middle of a window.
  await sleep(windowMs - (Date.now() % windowMs) + windowMs * 0.8);
  const planted = createOpenLine(() => createPostgresPacing(pool, {}, windowMs));
  expect(worstWindow(await crowd(planted))).toBeGreaterThan(6);
});

describe('a client', () => {
  const vip = { name: 'VIP', color: 'pink' } as const;

  test('with an engine that is down rejects within 2 s, and sends nothing', async () => {
    const network = await startFaultyNetwork(server.port);
    const silent = await startSilentServer();
    const heal = network.cut();
    for (const port of [network.port, silent.port]) {
      const mock = createMock();
      const client = createClient({
        ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
        pacing: { shared: postgresPacing(server.pool({ port })) },
      });
      const startedAt = performance.now();
      await expect(client.tags.create(vip)).rejects.toMatchObject({
        code: 'PACING_FAILED',
        cause: { name: 'FleetError', code: 'STORE_UNAVAILABLE' },
      });
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect(mock.requests.list()).toEqual([]);
    }
    heal();
    await network.close();
    silent.close();
  });

  test('without tables learns what to call', async () => {
    const pacing = postgresPacing(admin, { schema: 'never_made' });
    const asked = pacing.reserve({ line: 'l', place: 'p', perMinute: 1, holdMs: 1 });
    await expect(asked).rejects.toMatchObject({ code: 'STORE_NOT_MIGRATED' });
  });

  test.each([{ schem: 'x' }, { schema: 'A b' }, 'x'])('refuses the options %j', (options) => {
    expect(() => postgresPacing(admin, options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    );
  });

  test('leaves no key in the engine', async () => {
    const mock = createMock();
    const client = createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
      pacing: { shared: postgresPacing(admin) },
    });
    await client.account();
    const { rows } = await admin.query(
      'SELECT p::text FROM orgchat.pacing_places p UNION SELECT l::text FROM orgchat.pacing_lines l',
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toContain('demo-write-key');
    expect(JSON.stringify(rows)).not.toContain('127.0.0.1');
  });
});

// Half of the requests have to wait for the second minute, which is a tenth of one here and on the server.
test('four machines keep to the limit of the server in every minute, and none overtakes', async () => {
  const begun = Date.now();
  const mock = createMock({ rateLimit: 12, now: () => begun + 10 * (Date.now() - begun) });
  const http = await mock.listen({ port: 0 });
  await admin.query(`
    CREATE TABLE granted (number bigint, position bigint GENERATED ALWAYS AS IDENTITY);
    CREATE FUNCTION note_grant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO granted (number) VALUES (NEW.position); RETURN NEW; END $$;
    CREATE TRIGGER note_grant AFTER UPDATE OF is_granted ON orgchat.pacing_places
      FOR EACH ROW WHEN (NEW.is_granted AND NOT OLD.is_granted) EXECUTE FUNCTION note_grant();
    CREATE TRIGGER note_grant_at_once AFTER INSERT ON orgchat.pacing_places
      FOR EACH ROW WHEN (NEW.is_granted) EXECUTE FUNCTION note_grant()`);
  const workers = [0, 1, 2, 3].map((n) =>
    startWorker({
      ...{ port: server.port, baseUrl: http.baseUrl, from: n * 100, to: n * 100 + 6 },
      ...{ perMinute: 12, windowMs: minuteMs / 10 },
    }),
  );
  await Promise.all(workers.map(({ ended }) => ended));
  expect(workers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('applied')))).toHaveLength(24);
  expect(mock.requests.list().filter(({ status }) => status === 429)).toEqual([]);
  const { rows } = await admin.query<{ number: string }>('SELECT number FROM granted ORDER BY position');
  const numbers = rows.map(({ number }) => Number(number));
  expect(numbers).toHaveLength(24);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  await http.close();
});
