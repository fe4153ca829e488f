import { createMock, type Mock } from '@orgchat/mock-server';
import {
  type ChatChange,
  createClient,
  type JournalEntry,
  type OrgChatClient,
  OrgChatError,
  type WriteOptions,
} from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrate, outbox, postgresJournal, type Queryable } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { inTransaction } from '../../test-support/in-transaction.ts';
import { createScriptedClient, organization } from '../../test-support/organization.ts';

/* Relays of one outbox that get into each other's way: a change waits for its relay's end, not for the end of a lease. */

let server: PostgresServer;
let pool: pg.Pool;
let mock: Mock;
let boxCount = 0;

beforeAll(async () => {
  server = await startPostgres();
  pool = server.pool({ max: 20 });
  await migrate(pool);
});
afterAll(() => server.stop());
beforeEach(() => {
  mock = createMock({ rateLimit: 'off' });
});

const connect = (journalPool: Queryable = pool): OrgChatClient =>
  createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
    ...{ pacing: false, journal: postgresJournal(journalPool) },
  });
const create = (name: string): ChatChange => ({ action: 'create-tags', data: { name, color: 'pink' } });
const writes = () => mock.requests.list().filter(({ operation }) => operation === 'changeChat');

/** An outbox with so many changes, as several relays open it. */
async function fillBox(changes: number) {
  const name = `box-${++boxCount}`;
  const open = (db: Queryable = pool) => outbox(db, { organization, name });
  const ids: string[] = [];
  await inTransaction(pool, async (tx) => {
    for (let n = 0; n < changes; n++) ids.push((await open().add(tx, create(`Box ${n}`))).operationId);
  });
  return { open, ids };
}

/** Breaks the session lock of the relay that has a change of the outbox. */
async function breakLockOfRelay(): Promise<void> {
  const locks = `FROM pg_locks
     WHERE locktype = 'advisory' AND granted AND objid = (SELECT max(holder) FROM orgchat.outbox)`;
  const { rows } = await pool.query(`SELECT pg_terminate_backend(pid) ${locks}`);
  expect(rows).toHaveLength(1);
  await expect.poll(async () => (await pool.query(`SELECT 1 ${locks}`)).rows).toEqual([]);
}

test('a relay that loses the answer to what it takes still has it', async () => {
  const { open } = await fillBox(20);
  let isLost = false;
  const lossy: Queryable = {
    async query(text, values) {
      const answer = await pool.query(text, values);
      if (isLost || !text.includes('SKIP LOCKED')) return answer;
      isLost = true;
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    },
  };
  expect(await open(lossy).drain(connect())).toEqual({ applied: 20, left: [] });
  expect(writes()).toHaveLength(20);
});

/** Holds the journal entry of a change in the name of another process, as a call does that sends it. */
async function holdElsewhere(operationId: string, body: ChatChange) {
  const process = server.pool();
  const now = new Date().toISOString();
  const { target = '' } = (await connect().operations.list())[0] ?? {};
  const entry: JournalEntry = {
    ...{ format: 2, kind: 'change', path: '/chat/changes', state: 'pending', attempts: 0 },
    ...{ operationId, target, token: 'elsewhere', createdAt: now, updatedAt: now },
    body: JSON.stringify({ operationId, change: body }),
    deadline: new Date(Date.now() + 60_000).toISOString(),
  };
  expect(await postgresJournal(process).add(entry)).toBe(true);
  return { die: () => process.end() };
}

test('run() sends a change of another process soon after its death, and not at the end of its hold', async () => {
  // So that the journal knows the target of this key.
  await connect().tags.create({ name: 'First', color: 'pink' });
  const { open, ids } = await fillBox(1);
  const process = await holdElsewhere(ids[0] ?? '', create('Box 0'));
  const box = open();
  const abort = new AbortController();
  const running = box.run(connect(), { signal: abort.signal });
  const first = async () => (await box.list())[0]?.error;
  await expect.poll(first).toContain('is in progress in another call');
  await process.die();
  await expect.poll(() => box.list()).toEqual([]);
  abort.abort();
  await running;
  expect(writes()).toHaveLength(2);
});

test('a change that is applied leaves the outbox, although another relay has taken it since', async () => {
  const { open } = await fillBox(1);
  const client = connect();
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  const slow = async (change: ChatChange, options: WriteOptions) => {
    const applied = await client.changeChat(change, options);
    await isAnswered;
    return applied;
  };
  const first = open(server.pool()).drain({ ...client, changeChat: slow } as never);
  await expect.poll(() => writes().length).toBe(1);
  await breakLockOfRelay();
  const inFlight = new OrgChatError('in progress', { code: 'OPERATION_IN_FLIGHT' });
  const changeChat = () => Promise.reject(inFlight);
  expect((await open().drain(createScriptedClient(changeChat))).left).toMatchObject([
    { error: 'in progress' },
  ]);
  answer();
  expect((await first).applied).toBe(1);
  expect(await open().list()).toEqual([]);
  expect(writes()).toHaveLength(1);
});

test('what could not be recorded is recorded as soon as the engine can be reached', async () => {
  const { open } = await fillBox(1);
  const down: Queryable = {
    query(text, values) {
      const isDown = text.includes('DELETE FROM "orgchat".outbox') && Date.now() < downUntil;
      if (isDown) return Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }));
      return pool.query(text, values);
    },
  };
  const downUntil = Date.now() + 6_000;
  await expect(open(down).drain(connect())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await expect.poll(() => open().list()).toEqual([]);
  expect(writes()).toHaveLength(1);
});

test('a month with a refused key makes nothing rare: the first answer without an outcome does not delay a change for hours', async () => {
  const { open, ids } = await fillBox(1);
  await pool.query(
    `UPDATE orgchat.outbox SET created_at = created_at - interval '30 days', attempts = 5000 WHERE operation_id = $1`,
    ids,
  );
  const found: unknown[] = [];
  for (const status of [401, 429, 503, 503, 429, 503]) {
    const error = new OrgChatError('no', { code: 'X', status, outcome: 'refused' });
    await open().drain(createScriptedClient(() => Promise.reject(error)));
    const { rows } = await pool.query(
      `SELECT repeats, not_before < clock_timestamp() + interval '1 minute' AS soon FROM orgchat.outbox WHERE operation_id = $1`,
      ids,
    );
    found.push([status, ...Object.values(rows[0])]);
  }
  expect(found).toEqual([
    ...[401, 429].map((status) => [status, 0, false]),
    ...[1, 2].map((repeats) => [503, repeats, true]),
    [429, 2, false],
    [503, 3, true],
  ]);
  expect((await open().list())[0]?.attempts).toBe(5_006);
});

test.each([
  ['a moment ago', 'minutes', '1 second', false],
  ['a month ago', 'hours', '30 days', true],
])('a change that was added %s and often sent is sent again after %s', async (_when, _then, age, isRare) => {
  const { open, ids } = await fillBox(1);
  await pool.query(
    `UPDATE orgchat.outbox SET created_at = clock_timestamp() - $2::interval, repeats = 30 WHERE operation_id = $1`,
    [...ids, age],
  );
  const error = new OrgChatError('no', { code: 'X', status: 503, outcome: 'refused' });
  await open().drain(createScriptedClient(() => Promise.reject(error)));
  const { rows } = await pool.query(
    `SELECT not_before > clock_timestamp() + interval '1 hour' AS is_rare FROM orgchat.outbox WHERE operation_id = $1`,
    ids,
  );
  expect(rows).toEqual([{ is_rare: isRare }]);
});

test('an error with NUL is stored, and ends no relay', async () => {
  const { open } = await fillBox(1);
  const changeChat = () => Promise.reject(new Error('a\0b'));
  expect((await open().drain(createScriptedClient(changeChat))).left).toMatchObject([{ error: 'a\ufffdb' }]);
});
