import { createHmac } from 'node:crypto';
import { type PostgresServer, startPostgres } from '@orgchat/fleet/test-support/postgres-server';
import { createMock } from '@orgchat/mock-server';
import { createClient, operationIdFrom } from '@orgchat/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExampleProcess, startExample } from '../test-support/example-process.ts';

/* The webhook and two workers are killed with SIGKILL while orders are delivered. Each order is applied once. */

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

test('every order that was answered is applied once, whichever process dies', async () => {
  const mock = createMock({ rateLimit: 'off' });
  const http = await mock.listen({ port: 0 });
  const client = createClient({ apiKey: 'demo-write-key', baseUrl: http.baseUrl, pacing: false });
  const friends = await client.friends.list().toArray();
  const scenario = await client.scenarios.list().first();
  const env = {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${server.port}/postgres`,
    ORGCHAT_API_KEY: 'demo-write-key',
    ORGCHAT_BASE_URL: http.baseUrl,
    SCENARIO_ID: scenario?.id,
    WEBHOOK_SECRET: secret,
    PORT: '0',
  };
  function start(name: string): ExampleProcess {
    const started = startExample(`webhook-outbox/${name}.ts`, env);
    running.add(started);
    return started;
  }
  const listen = async (webhook: ExampleProcess): Promise<string> =>
    (await webhook.waitFor(/port: (\d+)/))[1] ?? '';
  const enrollments = () =>
    mock.requests.list().filter(({ applied, action }) => applied && action === 'enroll-scenario');

  let webhook = start('server');
  let port = await listen(webhook);
  const orders = Array.from({ length: 24 }, (_, id) => {
    const { accountId, userId } = friends[id % friends.length] ?? {};
    return { id: `A-${id}`, friend: { accountId, userId } };
  });
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
  await expect.poll(() => enrollments().length, { timeout: 20_000 }).toBeGreaterThan(3);
  for (const { child } of killed) child.kill('SIGKILL');
  // The webhook dies while it handles a delivery.
  void deliver(port, orders[12] ?? {});
  webhook.child.kill('SIGKILL');
  webhook = start('server');
  port = await listen(webhook);
  await deliverAll(orders.slice(12));

  const workers = [start('worker'), start('worker')];
  await expect.poll(() => enrollments().length, { timeout: 40_000 }).toBe(orders.length);
  for (const one of [webhook, ...workers]) {
    one.child.kill('SIGTERM');
    expect(await one.ended).toBe(0);
  }
  const ids = await Promise.all(orders.map(({ id }) => operationIdFrom('order', id)));
  expect(
    enrollments()
      .map(({ operationId }) => operationId)
      .sort(),
  ).toEqual(ids.sort());
  const { rows } = await server.pool().query('SELECT count(*)::int AS left FROM orgchat.outbox');
  expect(rows).toEqual([{ left: 0 }]);
  await http.close();
});
