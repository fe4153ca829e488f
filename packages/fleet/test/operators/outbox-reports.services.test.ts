import { createMock, type Mock } from '@orgchat/mock-server';
import { type ChatChange, createClient, type OrgChatClient } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createOutbox } from '../../src/postgres/outbox.ts';
import { migrate, type OutboxEntry, type OutboxOptions, outbox, type Queryable } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { inTransaction } from '../../test-support/in-transaction.ts';
import { organization } from '../../test-support/organization.ts';
import { withEvents } from '../../test-support/own-events.ts';

/* What an operator hears of an outbox, and what a person can ask and do. */

let server: PostgresServer;
let pool: pg.Pool;
let mock: Mock;
let client: OrgChatClient;
let name: string;
let boxCount = 0;

beforeAll(async () => {
  server = await startPostgres();
  pool = server.pool({ max: 10 });
  await migrate(pool);
});
afterAll(() => server.stop());
beforeEach(() => {
  name = `box-${++boxCount}`;
  mock = createMock({ rateLimit: 'off' });
  const { baseUrl, fetch } = mock;
  client = createClient({ apiKey: 'demo-write-key', baseUrl, fetch, pacing: false, retry: false });
});

const good: ChatChange = { action: 'create-tags', data: { name: 'Good', color: 'pink' } };
const bad = { action: 'create-tags', data: { name: 'Bad', color: 'no color' } } as unknown as ChatChange;
const openBox = (options: Partial<OutboxOptions> = {}, db: Queryable = pool) =>
  outbox(db, { organization, name, ...options });

async function add(change: ChatChange, ageHours = 0): Promise<string> {
  const { operationId } = await inTransaction(pool, (tx) => openBox().add(tx, change));
  await pool.query(
    `UPDATE orgchat.outbox SET created_at = created_at - $1 * interval '1 hour' WHERE operation_id = $2`,
    [ageHours, operationId],
  );
  return operationId;
}

/** Makes the server refuse every change as it does a key that was revoked: nothing is decided about the change. */
const revoke = () => mock.faults.arm({ effect: 'respond', status: 401, operation: 'changeChat', times: 100 });

/** Warnings of the process, by their codes. */
function listenToWarnings(): string[] {
  const codes: string[] = [];
  const emit = vi.spyOn(process, 'emitWarning').mockImplementation((_text, options) => {
    codes.push(String((options as { readonly code?: string }).code));
  });
  onTestFinished(() => emit.mockRestore());
  return codes;
}

test('a refused change is reported once, as list() shows it', async () => {
  const operationId = await add(bad);
  const heard: OutboxEntry[] = [];
  const box = openBox({ onRefused: (entry) => heard.push(entry) });
  await box.drain(client);
  await box.drain(client);
  expect(heard).toEqual(await box.list());
  expect(heard).toMatchObject([{ operationId, state: 'refused', attempts: 1 }]);
  expect(await box.retry(operationId)).toBe(true);
  await box.drain(client);
  expect(heard).toHaveLength(2);
});

test(
  'a refused change is reported once if the engine loses its reply, and its hold is not lost',
  withEvents(async (events) => {
    await add(bad);
    let lost = 0;
    const lossy: Queryable = {
      async query(text, values) {
        const answer = await pool.query(text, values);
        if (!text.includes('error = $3') || ++lost > 2) return answer;
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      },
    };
    const onRefused = vi.fn();
    await openBox({ onRefused }, lossy).drain(client);
    expect(onRefused).toHaveBeenCalledTimes(1);
    expect(events).toEqual([]);
  }),
);

test(
  'a relay that renews its hold reports once what another one has taken, and holds nothing that it has left',
  withEvents(async (events) => {
    await add(bad);
    const operationId = await add(good);
    let allow = (): void => undefined;
    const isAllowed = new Promise<void>((resolve) => {
      allow = resolve;
    });
    const slow = createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, pacing: false, retry: false },
      async fetch(request: Request) {
        const text = await request.clone().text();
        if (text.includes('Bad')) return new Response('{}', { status: 503 });
        if (text.includes('Good')) await isAllowed;
        return mock.fetch(request);
      },
    });
    const box = createOutbox(pool, { organization, name }, 400);
    const draining = box.drain(slow);
    const find = async () =>
      (
        await pool.query(
          'SELECT error IS NOT NULL AS is_left, lease_ends_at IS NOT NULL AS is_held FROM orgchat.outbox WHERE name = $1 ORDER BY id',
          [name],
        )
      ).rows;
    const leftAndHeld = [
      { is_left: true, is_held: false },
      { is_left: false, is_held: true },
    ];
    await expect.poll(find).toEqual(leftAndHeld);
    // Longer than the hold.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await find()).toEqual(leftAndHeld);
    await expect.poll(() => box.stats()).toMatchObject({ open: 2, sending: 1 });
    await pool.query(`UPDATE orgchat.outbox SET token = 'other' WHERE operation_id = $1`, [operationId]);
    await expect.poll(() => events).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(events).toEqual([{ type: 'fleet', event: 'hold-lost', store: 'outbox', operationId }]);
    allow();
    await draining;
  }),
);

test(
  'a locked row does not count as an outage',
  withEvents(async (events) => {
    const operationId = await add(good);
    const tx = await pool.connect();
    await tx.query('BEGIN');
    await tx.query('SELECT 1 FROM orgchat.outbox WHERE operation_id = $1 FOR UPDATE', [operationId]);
    const error = await openBox()
      .remove(operationId)
      .catch((thrown: unknown) => thrown);
    await tx.query('ROLLBACK');
    tx.release();
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', systemCode: '55P03' });
    expect(events).toEqual([]);
  }),
);

test('a change that is open for a day is reported once per process', async () => {
  const old = await add(good, 25);
  await add(good, 23);
  revoke();
  const onStuck = vi.fn();
  await openBox({ onStuck }).drain(client);
  await openBox({ onStuck }).drain(client);
  expect(onStuck.mock.calls).toMatchObject([[{ operationId: old, state: 'open', attempts: 1 }]]);
});

test('a relay that runs reports what is stuck', async () => {
  const old = await add(good, 25);
  revoke();
  const ending = new AbortController();
  const stuck = new Promise<OutboxEntry>((resolve) => {
    void openBox({ onStuck: resolve }).run(client, { signal: ending.signal });
  });
  expect(await stuck).toMatchObject({ operationId: old });
  ending.abort();
});

test.each<[string, Partial<OutboxOptions>]>([
  ['without callbacks', {}],
  [
    'with callbacks that fail',
    {
      onRefused: () => Promise.reject(new Error('mine')),
      onStuck() {
        throw new Error('mine');
      },
    },
  ],
])('%s a warning of the process says so', async (_what, options) => {
  const codes = listenToWarnings();
  await add(bad);
  await openBox(options).drain(client);
  await add(good, 25);
  revoke();
  await openBox(options).drain(client);
  await expect.poll(() => codes).toHaveLength(2);
  expect(codes).toEqual(['ORGCHAT_CHANGE_REFUSED', 'ORGCHAT_CHANGE_STUCK']);
});

test('what waits and what ended is counted, and can be tried again', async () => {
  listenToWarnings();
  const box = openBox();
  expect(await box.stats()).toEqual({ open: 0, sending: 0, refused: 0, unknown: 0, oldestOpenMs: undefined });
  const refused = await add(bad);
  await box.drain(client);
  const open = await add(good, 2);
  const { oldestOpenMs, ...counts } = await box.stats();
  expect(counts).toEqual({ open: 1, sending: 0, refused: 1, unknown: 0 });
  expect(oldestOpenMs).toBeGreaterThanOrEqual(7_200_000);
  expect(oldestOpenMs).toBeLessThan(7_300_000);
  expect(await box.list({ state: 'refused' })).toEqual([await box.get(refused)]);
  expect(await box.list({ limit: 1 })).toMatchObject([{ operationId: refused }]);
  await expect(box.list({ state: 'applied' as never })).rejects.toThrow('state must be open');
  expect(await box.retry('nothing')).toBe(false);
  expect(await box.retry(open)).toBe(true);
  expect(await box.retry(refused)).toBe(true);
  expect((await box.stats()).open).toBe(2);
  expect(await box.remove(refused)).toBe(true);
  expect(await box.get(refused)).toBeUndefined();
});

test.each(['SQL, DMY', 'German', 'Postgres'])('dates of the style %s are read', async (style) => {
  await add(good);
  const styled = server.pool({ options: `-c DateStyle=${style.replaceAll(' ', '')} -c TimeZone=Asia/Tokyo` });
  const [entry] = await openBox({}, styled).list();
  expect(Math.abs(Date.parse(entry?.createdAt ?? '') - Date.now())).toBeLessThan(60_000);
  expect((await openBox({}, styled).drain(client)).left).toEqual([]);
});
