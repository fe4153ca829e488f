import { createMock, type Mock } from '@orgchat/mock-server';
import { type ChatChange, createClient, type OrgChatClient, OrgChatError } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate, outbox, postgresJournal } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { createScriptedClient, organization } from '../../test-support/organization.ts';

/* A change that was refused is in the outbox, and its intent is added again: what was committed is sent. */

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

const create = (name: string): ChatChange => ({ action: 'create-tags', data: { name, color: 'pink' } });
const intent = ['order', 17];
const refusal = new OrgChatError('refused', {
  ...{ code: 'INVALID', status: 400, meaning: 'invalidInput', outcome: 'refused' },
});

const connect = (): OrgChatClient =>
  createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
    ...{ pacing: false, journal: postgresJournal(pool) },
  });

/** An outbox of its own, with transactions that add a change to it. */
function openBox() {
  const name = `box-${++boxCount}`;
  const open = (db: pg.Pool = pool) => outbox(db, { organization, name });
  const box = open();
  async function add(change: ChatChange, end: 'COMMIT' | 'ROLLBACK' = 'COMMIT') {
    const tx = await pool.connect();
    try {
      await tx.query('BEGIN');
      return await box.add(tx, change, { intent });
    } finally {
      await tx.query(end);
      tx.release();
    }
  }
  return { name, open, box, add };
}

/** An outbox whose only change was refused. */
async function openRefused() {
  const opened = openBox();
  const { operationId } = await opened.add(create(''));
  const { left } = await opened.box.drain(connect());
  expect(left).toMatchObject([{ operationId, state: 'refused' }]);
  return { ...opened, operationId };
}

describe('an intent whose change was refused', () => {
  test('is applied with a corrected change, under the same id', async () => {
    const { box, add, operationId } = await openRefused();
    const refusedAt = Date.parse((await box.list())[0]?.createdAt ?? '');
    expect(await add(create('Corrected'))).toEqual({ operationId });
    const [entry] = await box.list();
    expect(entry).toMatchObject({ operationId, state: 'open', attempts: 0, change: create('Corrected') });
    expect(entry?.error).toBeUndefined();
    expect(Date.parse(entry?.createdAt ?? '')).toBeGreaterThan(refusedAt);
    expect(await box.drain(connect())).toEqual({ applied: 1, left: [] });
    expect(mock.operations()).toMatchObject([{ operationId }]);
  });

  test('is sent again with the same change, which the server may accept by now', async () => {
    const { box, add } = openBox();
    await add(create('Same'));
    mock.faults.arm({ effect: 'respond', status: 400, error: 'INVALID_INPUT' });
    expect((await box.drain(connect())).left).toMatchObject([{ state: 'refused' }]);
    await add(create('Same'));
    expect(await box.drain(connect())).toEqual({ applied: 1, left: [] });
    expect(mock.operations()).toHaveLength(1);
  });

  test('is refused again, and says so, if the change is still wrong', async () => {
    const { box, add } = await openRefused();
    await add({ ...create(''), data: { name: '', color: 'green' } } as ChatChange);
    expect((await box.drain(connect())).left).toMatchObject([{ state: 'refused', attempts: 1 }]);
  });

  test('stays as it is if the transaction rolls back', async () => {
    const { box, add } = await openRefused();
    const before = await box.list();
    await add(create('Rolled back'), 'ROLLBACK');
    expect(await box.list()).toEqual(before);
    expect(await box.drain(connect())).toEqual({ applied: 0, left: before });
  });

  test('waits with its new change: another one is a conflict', async () => {
    const { add } = await openRefused();
    await Promise.all([add(create('First')), add(create('First'))]);
    await expect(add(create('Second'))).rejects.toMatchObject({ code: 'INPUT_CONFLICT' });
  });
});

describe('an intent that is added while a relay settles its change', () => {
  test('is opened again if the relay was first', async () => {
    const { name, box, add } = openBox();
    const { operationId } = await add(create(''));
    const relay = await pool.connect();
    await relay.query('BEGIN');
    await relay.query("UPDATE orgchat.outbox SET state = 'refused', error = $2 WHERE name = $1", [
      name,
      'no',
    ]);
    const added = add(create('Corrected'));
    const waiting = async () =>
      (await pool.query('SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid IS NOT NULL')).rows;
    await expect.poll(waiting).toHaveLength(1);
    await relay.query('COMMIT');
    relay.release();
    expect(await added).toEqual({ operationId });
    expect(await box.drain(connect())).toEqual({ applied: 1, left: [] });
  });

  test('is a conflict while the first change has no outcome', async () => {
    const { box, add } = openBox();
    await add(create(''));
    const changeChat = async () => {
      await expect(add(create('Corrected'))).rejects.toMatchObject({ code: 'INPUT_CONFLICT' });
      throw refusal;
    };
    expect((await box.drain(createScriptedClient(changeChat))).left).toMatchObject([{ state: 'refused' }]);
  });

  test.each<[string, () => unknown]>([
    ['applied', () => ({ applied: true })],
    ['refused', () => Promise.reject(refusal)],
  ])(
    'is sent, although a relay that was too slow learns later that the first change was %s',
    async (_what, answer) => {
      const { open, box, add } = openBox();
      await add(create(''));
      let answerSlowly = (): void => undefined;
      const isAnswered = new Promise<void>((resolve) => {
        answerSlowly = resolve;
      });
      let hasBegun = false;
      async function changeChat() {
        hasBegun = true;
        await isAnswered;
        return answer();
      }
      const slow = open(server.pool()).drain(createScriptedClient(changeChat));
      await expect.poll(() => hasBegun).toBe(true);
      // Its lease has ended, so another relay takes the change.
      await pool.query("UPDATE orgchat.outbox SET lease_ends_at = now() - interval '1 second'");
      expect((await box.drain(connect())).left).toMatchObject([{ state: 'refused' }]);
      await add(create('Corrected'));
      answerSlowly();
      await slow;
      expect(await box.list()).toMatchObject([{ state: 'open', change: create('Corrected') }]);
      expect(await box.drain(connect())).toEqual({ applied: 1, left: [] });
      expect(mock.operations()).toHaveLength(1);
    },
  );
});
