import { createHmac, randomBytes } from 'node:crypto';
import { createMock } from '@orgchat/mock-server';
import { createClient, operationIdFrom } from '@orgchat/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type PostgresServer,
  startPostgres,
} from '../../packages/fleet/test-support/engines/postgres-server.ts';
import { type ExampleProcess, startExample } from '../test-support/example-process.ts';

/* Webhook, workers and the engine are killed with SIGKILL while orders are delivered. Each order is applied once. */

let server: PostgresServer;
const running = new Set<ExampleProcess>();

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await server.stop();
});

const secret = 'whsec_test';

async function deliver(port: string, order: object): Promise<number | undefined> {
  const body = JSON.stringify(order);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const request = { method: 'POST', headers: { 'x-signature': signature }, body };
  return fetch(`http://127.0.0.1:${port}/`, request).then(
    ({ status }) => status,
    () => undefined,
  );
}

/** A shop whose friends order, and the programs of this example. */
async function openShop() {
  const mock = createMock({ rateLimit: 'off' });
  const http = await mock.listen({ port: 0 });
  const client = createClient({ apiKey: 'demo-write-key', baseUrl: http.baseUrl, pacing: false });
  const scenario = await client.scenarios.list().first();
  const friends = (await client.friends.list().toArray()).filter(
    // A scenario of an account is for its friends.
    ({ accountId }) => (scenario?.accountId ?? accountId) === accountId,
  );
  const env = {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${server.port}/postgres`,
    ORGCHAT_API_KEY: 'demo-write-key',
    ORGCHAT_BASE_URL: http.baseUrl,
    ORGANIZATION_ID: 'org_demo',
    SCENARIO_ID: scenario?.id,
    WEBHOOK_SECRET: secret,
    PORT: '0',
  };
  return {
    mock,
    start(name: string): ExampleProcess {
      const started = startExample(`webhook-outbox/${name}.ts`, env);
      running.add(started);
      return started;
    },
    order(id: string, number: number) {
      const { accountId, userId } = friends[number % friends.length] ?? {};
      return { id, friend: { accountId, userId } };
    },
    enrollments: () =>
      mock.requests.list().filter(({ applied, action }) => applied && action === 'enroll-scenario'),
    /** Ends programs as a supervisor does, and checks that nothing is left. */
    async close(programs: readonly ExampleProcess[]): Promise<void> {
      for (const one of programs) {
        one.child.kill('SIGTERM');
        expect(await one.ended).toBe(0);
      }
      const { rows } = await server.pool().query('SELECT count(*)::int AS left FROM orgchat.outbox');
      expect(rows).toEqual([{ left: 0 }]);
      await http.close();
    },
  };
}

const listen = async (webhook: ExampleProcess): Promise<string> =>
  (await webhook.waitFor(/port: (\d+)/))[1] ?? '';

test('every order that was answered is applied once, whichever process dies', async () => {
  const { mock, start, order, enrollments, close } = await openShop();
  let webhook = start('server');
  let port = await listen(webhook);
  const orders = Array.from({ length: 24 }, (_, number) => order(`A-${number}`, number));
  /** Delivers orders as the shop does: again until they are answered, and some of them twice. */
  async function deliverAll(some: typeof orders): Promise<void> {
    for (const [index, order] of some.entries()) {
      while ((await deliver(port, order)) !== 204) port = await listen(webhook);
      if (index % 5 === 0) expect(await deliver(port, order)).toBe(204);
    }
  }

  expect(await deliver(port, {})).toBe(400);
  await deliverAll(orders.slice(0, 12));
  // The workers die while the API has applied a request and not answered it yet.
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  mock.faults.arm({ effect: 'delay', operation: 'changeChat', delayMs: 60_000, applied: true, after: 3 });
  const killed = [start('worker'), start('worker')];
  await expect.poll(() => enrollments().length).toBeGreaterThan(3);
  for (const { child } of killed) child.kill('SIGKILL');
  // The webhook dies while it handles a delivery.
  void deliver(port, orders[12] ?? {});
  webhook.child.kill('SIGKILL');
  webhook = start('server');
  port = await listen(webhook);
  await deliverAll(orders.slice(12));

  const workers = [start('worker'), start('worker')];
  await expect.poll(() => enrollments().length, { timeout: 40_000 }).toBe(orders.length);
  await close([webhook, ...workers]);
  const ids = await Promise.all(orders.map(({ id }) => operationIdFrom('order', id)));
  expect(
    enrollments()
      .map(({ operationId }) => operationId)
      .sort(),
  ).toEqual(ids.sort());
});

test('an order that can never be stored is refused, so that nobody delivers it again', async () => {
  const { start, order, close } = await openShop();
  const webhook = start('server');
  const port = await listen(webhook);
  const sound = order('C-1', 0);
  for (const bad of ['a\0', '\ud83d', '']) {
    expect(await deliver(port, { ...sound, id: bad })).toBe(400);
    expect(await deliver(port, { ...sound, friend: { ...sound.friend, userId: bad } })).toBe(400);
  }
  expect(await deliver(port, { ...sound, id: randomBytes(9_000).toString('hex') })).toBe(422);
  await close([webhook]);
});

test('an order that the engine does not confirm is answered with 503, and applied once in the end', async () => {
  const { start, order, enrollments, close } = await openShop();
  const programs = [start('server'), start('worker')] as const;
  const port = await listen(programs[0]);
  await programs[1].waitFor(/Sending/);
  // The transaction of the webhook waits for another one of the same order when the engine dies.
  const other = await server.pool().connect();
  other.on('error', () => undefined);
  await other.query('BEGIN');
  await other.query("INSERT INTO orders VALUES ('B-1', '{}')");
  const delivered = deliver(port, order('B-1', 0));
  const waiting = async () => (await server.pool().query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows;
  await expect.poll(waiting).toHaveLength(1);
  await server.kill('SIGKILL');
  other.release(true);
  expect(await delivered).toBe(503);
  expect(await deliver(port, order('B-1', 0))).toBe(503);
  await server.start();
  expect(await deliver(port, order('B-1', 0))).toBe(204);
  expect(await deliver(port, order('B-1', 0))).toBe(204);
  await expect.poll(() => enrollments().length).toBe(1);
  await close(programs);
  expect(enrollments()).toHaveLength(1);
});
