import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMock, type Mock } from '@orgchat/mock-server';
import { createClient, type OrgChatClient } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { migrate, outbox, postgresJournal } from '../../src/postgres.ts';
import { createEntry, getError } from '../../test-support/engines/bad-engine.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { organization } from '../../test-support/organization.ts';

/* A row that somebody has locked blocks its own operation, and no other one. */

let server: PostgresServer;
let admin: pg.Pool;
let mock: Mock;

beforeAll(async () => {
  server = await startPostgres();
  admin = server.pool();
  await migrate(admin);
});
afterAll(() => server.stop());
beforeEach(() => {
  mock = createMock({ rateLimit: 'off' });
});

const connect = (pool = server.pool({ max: 1 })): OrgChatClient =>
  createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, pacing: false, retry: false },
    journal: postgresJournal(pool, { timeoutMs: 1_000 }),
  });
const create = (client: OrgChatClient, name: string) =>
  client.tags.create({ name, color: 'pink' }, { intent: [name] });

/** Locks rows of a table until the returned function is called. */
async function lock(table: string, id: string): Promise<() => Promise<void>> {
  const tx = await admin.connect();
  await tx.query('BEGIN');
  await tx.query(`SELECT 1 FROM orgchat.${table} WHERE operation_id = $1 FOR UPDATE`, [id]);
  return async () => {
    await tx.query('ROLLBACK');
    tx.release();
  };
}

test('a locked entry fails its own calls, and no other operation of any worker', async () => {
  const workers = [connect(), connect(), connect()];
  const [first] = workers as [OrgChatClient];
  mock.faults.arm({ effect: 'lose-response' });
  const error = await create(first, 'Locked').catch((thrown: unknown) => thrown);
  const { operationId } = error as { readonly operationId: string };
  const unlock = await lock('journal', operationId);
  try {
    // More often than the pool has connections.
    for (let n = 0; n < 2; n++) {
      const resumed = await Promise.all(workers.map((worker) => worker.operations.resumeAll()));
      for (const outcomes of resumed)
        expect(outcomes).toMatchObject([
          { operationId, state: 'unknown', error: { code: 'STORE_UNAVAILABLE' } },
        ]);
    }
    const names = workers.flatMap((worker, n) => [1, 2, 3, 4].map((m) => [worker, `${n}-${m}`] as const));
    const outcomes = await Promise.all(names.map(([worker, name]) => create(worker, name)));
    expect(outcomes.every(({ applied }) => applied)).toBe(true);
    expect(await first.operations.list({ open: true })).toMatchObject([{ operationId }]);
  } finally {
    await unlock();
  }
  expect(await first.operations.resumeAll()).toMatchObject([{ state: 'applied', replayed: true }]);
});

test('an outcome that cannot be recorded blocks no other operation, and is recorded as soon as it can be', async () => {
  const client = connect();
  let unlock: (() => Promise<void>) | undefined;
  const locking = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, pacing: false, retry: false },
    journal: postgresJournal(server.pool({ max: 3 }), { timeoutMs: 1_000 }),
    async fetch(request: Request) {
      const { operationId } = (await request.clone().json()) as { operationId: string };
      unlock ??= await lock('journal', operationId);
      return mock.fetch(request);
    },
  });
  // The answer counts, although the entry cannot be settled.
  const { operationId } = await create(locking, 'Slow');
  for (const name of ['A', 'B', 'C']) expect(await create(locking, name)).toMatchObject({ applied: true });
  expect(await locking.operations.list({ open: true })).toMatchObject([{ operationId, state: 'pending' }]);
  await unlock?.();
  await expect
    .poll(async () => (await client.operations.resumeAll()).map(({ state }) => state))
    .toEqual(['applied']);
});

test('locked rows take the only connection of a pool from no other call for long', async () => {
  const unlocks: (() => Promise<void>)[] = [];
  const client = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, pacing: false, retry: false },
    journal: postgresJournal(server.pool({ max: 1 }), { timeoutMs: 3_000 }),
    async fetch(request: Request) {
      const text = await request.clone().text();
      if (text.includes('Locked')) unlocks.push(await lock('journal', JSON.parse(text).operationId));
      return mock.fetch(request);
    },
  });
  await Promise.all(['Locked 1', 'Locked 2', 'Locked 3'].map((name) => create(client, name)));
  // What could not be recorded is undone in the background, for as long as the rows are locked.
  try {
    expect(await create(client, 'Free')).toMatchObject({ applied: true });
  } finally {
    await Promise.all(unlocks.map((unlock) => unlock()));
  }
});

test('a call that waits for a locked row lets others have its only connection, and gets the row when it is free', async () => {
  const journal = postgresJournal(server.pool({ max: 1 }), { timeoutMs: 10_000 });
  const entry = createEntry('free later', { target: 'locked-row' });
  await journal.add(entry);
  await journal.settle({ ...entry, state: 'unknown' });
  const unlock = await lock('journal', entry.operationId);
  let unlocking: Promise<void> | undefined;
  try {
    const claiming = journal.claim(entry, { token: 'next', deadline: entry.deadline });
    const startedAt = performance.now();
    // Longer than the wait of one statement, and shorter than that of its call.
    for (let n = 0; n < 4; n++) {
      await journal.get({ operationId: 'other', target: 'locked-row' });
      await sleep(200);
    }
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    unlocking = unlock();
    expect((await claiming)?.entry).toMatchObject({ operationId: 'free later', token: 'next' });
  } finally {
    await (unlocking ?? unlock());
  }
});

test('calls that wait for one locked row say so, and the store is not reported as down', async () => {
  const events: unknown[] = [];
  const listener = (event: unknown): void => void events.push(event);
  subscribe('orgchat.fleet', listener);
  onTestFinished(() => void unsubscribe('orgchat.fleet', listener));
  const journal = postgresJournal(server.pool({ max: 4 }), { timeoutMs: 1_000 });
  const entry = createEntry('contended', { target: 'locked-row' });
  await journal.add(entry);
  await journal.settle({ ...entry, state: 'unknown' });
  const unlock = await lock('journal', 'contended');
  const claim = (token: string) => getError(journal.claim(entry, { token, deadline: entry.deadline }));
  try {
    for (const error of await Promise.all(['one', 'two', 'three'].map(claim)))
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', systemCode: '55P03' });
  } finally {
    await unlock();
  }
  expect(events).not.toContainEqual(expect.objectContaining({ event: 'store-down' }));
});

test('a transaction that adds a change again while it is sent holds up no other change', async () => {
  const pool = server.pool({ max: 10 });
  const box = outbox(pool, { organization, name: 'locked' });
  const add = async (name: string, db: pg.Pool | pg.PoolClient = pool): Promise<string> => {
    const tx = db === pool ? await pool.connect() : (db as pg.PoolClient);
    const change = { action: 'create-tags', data: { name, color: 'pink' } } as const;
    const { operationId } = await box.add(tx, change, { intent: ['locked', name] });
    if (db === pool) tx.release();
    return operationId;
  };
  const redelivered = await pool.connect();
  await redelivered.query('BEGIN');
  const locked = await add('Locked');
  for (let n = 0; n < 20; n++) await add(`Free ${n}`);
  let isAdded = false;
  const client = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, pacing: false, retry: false },
    journal: postgresJournal(pool),
    async fetch(request: Request) {
      if (!isAdded && (await request.clone().text()).includes('Locked')) {
        isAdded = true;
        await add('Locked', redelivered);
      }
      return mock.fetch(request);
    },
  });
  const end = new AbortController();
  const running = box.run(client, { signal: end.signal });
  const waiting = async () => (await box.list()).map(({ operationId }) => operationId);
  // It was sent, and only its row is left.
  await expect.poll(waiting).toEqual([locked]);
  expect(isAdded).toBe(true);
  await redelivered.query('COMMIT');
  redelivered.release();
  await expect.poll(waiting).toEqual([]);
  end.abort();
  await running;
  expect(mock.records({ resource: 'tags', limit: 1_000 }).records).toHaveLength(
    new Set(mock.records({ resource: 'tags', limit: 1_000 }).records.map((tag) => Object(tag).name)).size,
  );
});
