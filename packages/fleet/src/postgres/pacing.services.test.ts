import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from '@orgchat/mock-server';
import { createClient, type PlaceAnswer, type SharedPacing } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFaultyNetwork } from '../../test-support/faulty-network.ts';
import { type PostgresServer, startPostgres } from '../../test-support/postgres-server.ts';
import { startWorker } from '../../test-support/start-worker.ts';
import { migrate, postgresPacing, type Queryable } from '../postgres.ts';
import { createPostgresPacing } from './pacing.ts';

/* Pacing that machines share, on a real Postgres. Most tests have a window of a second instead of a minute. */

let server: PostgresServer;
let admin: pg.Pool;
let lineCount = 0;
const windowMs = 1_000;

beforeAll(async () => {
  server = await startPostgres();
  admin = server.pool({ max: 4 });
  await migrate(admin);
});
afterAll(() => server.stop());

/** A line of its own, as several machines see it: each has a pool. */
function openLine(
  perMinute: number,
  { holdMs = 0, machines = 1, pool = undefined as Queryable | undefined } = {},
) {
  const line = `line-${++lineCount}`;
  const stores = Array.from({ length: machines }, () =>
    createPostgresPacing(pool ?? server.pool({ max: 20 }), {}, windowMs),
  );
  let asked = 0;
  const grants: { readonly place: string; readonly at: number }[] = [];
  const at = (machine: number): SharedPacing => stores[machine % machines] as SharedPacing;
  return {
    grants,
    reserve: (place: string, machine = 0, maxWaitMs?: number): Promise<PlaceAnswer> =>
      at(machine).reserve({ line, place, perMinute, holdMs, maxWaitMs }),
    release: (place: string, more: object = {}) => at(0).release({ line, place, isUnused: false, ...more }),
    /** Waits for a place as the SDK does, and releases it as soon as it is granted. */
    async pass(machine = 0): Promise<void> {
      const place = `place-${asked++}`;
      for (;;) {
        const { state, askAgainMs } = await at(machine).reserve({ line, place, perMinute, holdMs });
        if (state === 'granted') break;
        await sleep(askAgainMs);
      }
      grants.push({ place, at: performance.now() });
      await at(machine).release({ line, place, isUnused: false });
    },
  };
}

/** The most grants in any window. */
function worstWindow(grants: readonly { readonly at: number }[]): number {
  return Math.max(
    ...grants.map(({ at }) => grants.filter((one) => one.at >= at && one.at < at + windowMs).length),
  );
}

/** Asks for 30 places on four machines at once, 6 per window. */
async function crowd(pool?: Queryable) {
  const line = openLine(6, pool ? { machines: 1, pool } : { machines: 4 });
  await Promise.all(Array.from({ length: 30 }, (_, n) => line.pass(n)));
  return line.grants;
}

describe('a line', () => {
  test('lets as many through at once as a window may have, and the next one a window after an answer', async () => {
    const line = openLine(2);
    expect(await line.reserve('a')).toEqual({ state: 'granted', waitMs: 0, askAgainMs: 0 });
    expect((await line.reserve('b')).state).toBe('granted');
    await sleep(300);
    await line.release('a');
    const third = await line.reserve('c');
    expect(third.state).toBe('waiting');
    // A whole window, because it counts from the answer and not from the request.
    expect(third.waitMs).toBeGreaterThan(windowMs - 200);
    await sleep(third.askAgainMs);
    expect((await line.reserve('c')).state).toBe('granted');
  });

  test('lets no more through than allowed in any window, whatever machine asks', async () => {
    const grants = await crowd();
    expect(grants).toHaveLength(30);
    expect(worstWindow(grants)).toBeLessThanOrEqual(6);
    // Nor fewer: five windows are enough.
    expect((grants.at(-1)?.at ?? 0) - (grants[0]?.at ?? 0)).toBeLessThan(5.5 * windowMs);
  });

  test('serves in the order of asking', async () => {
    const line = openLine(1, { machines: 3 });
    expect((await line.reserve('first')).state).toBe('granted');
    await line.release('first');
    for (const [n, place] of ['a', 'b', 'c'].entries())
      expect((await line.reserve(place, n)).state).toBe('waiting');
    await sleep(windowMs + 50);
    // The place is free, but it is that of the first in line.
    expect((await line.reserve('c', 2)).state).toBe('waiting');
    expect((await line.reserve('new', 1)).state).toBe('waiting');
    expect((await line.reserve('b', 1)).state).toBe('waiting');
    expect((await line.reserve('a', 0)).state).toBe('granted');
  });

  test('says how long each has to wait', async () => {
    const line = openLine(2);
    for (const place of ['a', 'b']) {
      await line.reserve(place);
      await line.release(place);
    }
    const waits: number[] = [];
    for (const place of ['c', 'd', 'e', 'f', 'g']) waits.push((await line.reserve(place)).waitMs);
    const windows = waits.map((ms) => Math.round(ms / windowMs));
    expect(windows).toEqual([1, 1, 2, 2, 3]);
  });

  test('refuses a wait that is too long, and keeps no place for it', async () => {
    const line = openLine(1);
    await line.reserve('a');
    await line.release('a');
    const refused = await line.reserve('b', 0, 500);
    expect(refused.state).toBe('refused');
    expect(refused.waitMs).toBeGreaterThan(500);
    expect((await line.reserve('c', 0, 1_500)).state).toBe('waiting');
    expect((await line.reserve('d')).waitMs).toBeGreaterThan(1_500);
  });

  test('gives a place that is not used to the next', async () => {
    const line = openLine(1);
    await line.reserve('a');
    await line.reserve('b');
    await line.reserve('c');
    await line.release('b', { isUnused: true });
    await line.release('a', { isUnused: true });
    expect((await line.reserve('c')).state).toBe('granted');
  });

  test('skips a place whose process died in line, and frees one whose process died with a request', async () => {
    const line = openLine(1, { holdMs: 500 });
    await line.reserve('dead with a request');
    await line.reserve('dead in line');
    const startedAt = performance.now();
    await line.pass();
    const ms = performance.now() - startedAt;
    expect(ms).toBeGreaterThan(500 + windowMs - 100);
    expect(ms).toBeLessThan(7_000);
  });

  test('answers a repeated question as the first time', async () => {
    const line = openLine(1);
    for (let n = 0; n < 3; n++) expect((await line.reserve('a')).state).toBe('granted');
    expect((await line.reserve('b')).state).toBe('waiting');
    await line.release('a');
    await sleep(200);
    // A release that is repeated after a lost reply does not begin another window.
    await line.release('a');
    expect((await line.reserve('b')).waitMs).toBeLessThan(windowMs - 150);
  });

  test('stops for all while the server asks for it', async () => {
    const line = openLine(10, { machines: 2 });
    await line.reserve('a');
    await line.release('a', { retryAfterMs: 700 });
    const { state, waitMs } = await line.reserve('b', 1);
    expect(state).toBe('waiting');
    expect(waitMs).toBeGreaterThan(600);
    expect(waitMs).toBeLessThanOrEqual(700);
    await sleep(waitMs);
    expect((await line.reserve('b', 1)).state).toBe('granted');
  });

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
    const line = openLine(5, {
      pool: { query: (text, values) => ++queries && admin.query(text, values) } as Queryable,
    });
    await line.reserve('a');
    queries = 0;
    await line.reserve('b');
    await line.reserve('c');
    expect(queries).toBe(2);
  });
});

test('a window by a counter is found by these tests', async () => {
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
  expect(worstWindow(await crowd(pool))).toBeGreaterThan(6);
});

describe('a client', () => {
  const vip = { name: 'VIP', color: 'pink' } as const;

  test('with an engine that is down rejects within 2 s, and sends nothing', async () => {
    const network = await startFaultyNetwork(server.port);
    const held: Socket[] = [];
    const silent = createServer((socket) => void held.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port: silentPort } = silent.address() as AddressInfo;
    const heal = network.cut();
    for (const port of [network.port, silentPort]) {
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
      expect(performance.now() - startedAt).toBeLessThan(2_500);
      expect(mock.requests.list()).toEqual([]);
    }
    heal();
    await network.close();
    for (const socket of held) socket.destroy();
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

// Half of the requests have to wait for the second minute.
test('four machines keep to the limit of the server in every minute, and none overtakes', {
  timeout: 300_000,
}, async () => {
  const mock = createMock({ rateLimit: 12 });
  const http = await mock.listen({ port: 0 });
  await admin.query(`
    CREATE TABLE granted (number bigint, position bigint GENERATED ALWAYS AS IDENTITY);
    CREATE FUNCTION note_grant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO granted (number) VALUES (NEW.number); RETURN NEW; END $$;
    CREATE TRIGGER note_grant AFTER UPDATE OF is_granted ON orgchat.pacing_places
      FOR EACH ROW WHEN (NEW.is_granted AND NOT OLD.is_granted) EXECUTE FUNCTION note_grant()`);
  const workers = [0, 1, 2, 3].map((n) =>
    startWorker({ port: server.port, baseUrl: http.baseUrl, from: n * 100, to: n * 100 + 6, perMinute: 12 }),
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
