import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from '@orgchat/mock-server';
import { type ChatChange, createClient, type OrgChatClient, type WriteOptions } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutbox } from '../../src/postgres/outbox.ts';
import { migrate, outbox, postgresJournal, postgresPacing } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { organization } from '../../test-support/organization.ts';

/* What a relay has taken: it gives it back when it ends, and keeps it while it lives. */

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = server.pool({ max: 20 });
  await migrate(pool);
});
afterAll(() => server.stop());

async function fill(name: string, count: number): Promise<void> {
  const tx = await pool.connect();
  for (let n = 0; n < count; n++)
    await outbox(pool, { organization, name }).add(tx, {
      ...{ action: 'create-tags', data: { name: `${name} ${n}`, color: 'pink' } },
    });
  tx.release();
}

const read = async (name: string) =>
  (await pool.query('SELECT attempts, error, token FROM orgchat.outbox WHERE name = $1', [name])).rows;

test('the signal ends a relay whose changes wait in line, which are free at once', async () => {
  const mock = createMock();
  const client = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
    ...{ journal: postgresJournal(pool), pacing: { perMinute: 3, shared: postgresPacing(pool) } },
  });
  await fill('in line', 10);
  const stop = new AbortController();
  const running = outbox(pool, { organization, name: 'in line' }).run(client, { signal: stop.signal });
  // One place was for account().
  await expect.poll(() => mock.operations().length).toBe(2);
  await expect.poll(async () => (await read('in line')).length).toBe(8);
  const startedAt = performance.now();
  stop.abort();
  await running;
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(await read('in line')).toEqual(Array(8).fill({ attempts: 0, error: null, token: null }));
  const countWaiting = () =>
    pool.query('SELECT FROM orgchat.pacing_places WHERE NOT is_granted AND ends_at > now()');
  // A place is given back in the background.
  await expect.poll(async () => (await countWaiting()).rowCount).toBe(0);
  const fast = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
    ...{ journal: postgresJournal(pool), pacing: false },
  });
  expect(await outbox(pool, { organization, name: 'in line' }).drain(fast)).toMatchObject({ applied: 8 });
  expect(mock.operations()).toHaveLength(10);
});

test('the hold of a relay is renewed while it lives, and no other relay takes its changes', async () => {
  const mock = createMock();
  const client = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, pacing: false },
    journal: postgresJournal(pool),
  });
  await fill('slow', 2);
  let send = (): void => undefined;
  const maySend = new Promise<void>((resolve) => (send = resolve));
  const changeChat = async (change: ChatChange, options: WriteOptions) => {
    await maySend;
    return client.changeChat(change, options);
  };
  const slow: OrgChatClient = { ...client, changeChat } as never;
  const open = (db: pg.Pool) => createOutbox(db, { organization, name: 'slow' }, 400);
  const first = open(pool).drain(slow);
  // Longer than a hold that is not renewed.
  await sleep(1_500);
  const other = await open(server.pool()).drain(client);
  expect(other.applied).toBe(0);
  expect(other.left.map(({ attempts }) => attempts)).toEqual([1, 1]);
  send();
  expect((await first).applied).toBe(2);
});
