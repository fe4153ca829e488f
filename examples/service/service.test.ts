/* The service under vitest. service.jest.ts has the same under Jest, kill.services.test.ts kills it. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createMock } from '@orgchat/mock-server';
import { test } from '@orgchat/mock-server/vitest';
import { createClient, type OrgChatClient } from '@orgchat/sdk';
import { afterEach, expect, onTestFinished, vi } from 'vitest';
import { importKeywords } from './keyword-import.ts';
import { syncCatalog } from './nightly-sync.ts';
import { createWebhook } from './orders.ts';

const secret = 'whsec_test';
const sign = (body: string): string => createHmac('sha256', secret).update(body).digest('hex');
const path = (name: string): string => fileURLToPath(new URL(`./data/${name}`, import.meta.url));

/** Starts the webhook; returns a function that delivers a body and resolves to the status. */
async function listen(client: OrgChatClient) {
  const server = createWebhook(client, secret).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async (body: string, signature = sign(body)): Promise<number> => {
    const headers = { 'x-signature': signature };
    return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status;
  };
}

async function orderOf(client: OrgChatClient, id: string): Promise<string> {
  const friend = await client.friends.list().first();
  return JSON.stringify({ id, product: 'Tea', friend });
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('an order is applied once, however often it is delivered', async ({ client, mock }) => {
  const deliver = await listen(client);
  const order = await orderOf(client, 'A-1');
  mock.faults.arm({ effect: 'lose-response', action: 'set-friend-tags' });
  expect([await deliver(order), await deliver(order)]).toEqual([204, 204]);
  const applied = mock.requests.list().filter((request) => request.applied);
  expect(applied.map(({ action }) => action)).toEqual(['create-tags', 'set-friend-tags']);
});

test('an order whose outcome is unknown is asked for again', async ({ client, mock, requestLog }) => {
  vi.spyOn(console, 'error').mockReturnValue();
  const deliver = await listen(client);
  const order = await orderOf(client, 'A-1');
  mock.faults.arm({ effect: 'uncertain', action: 'set-friend-tags', resolve: { afterRequests: 1 } });
  expect([await deliver(order), await deliver(order)]).toEqual([503, 204]);
  requestLog.requested({ action: 'set-friend-tags', status: 200 }, 1);
});

test.each([
  ['the default codes', undefined],
  [
    'codes that nobody configured',
    { runtimeUnavailable: 'ASLEEP', notFound: 'NOTHING', staleRevision: 'OLD' },
  ],
])('no order is lost while the runtime is down: %s', async (_, codes) => {
  vi.spyOn(console, 'error').mockReturnValue();
  const mock = createMock({ server: { server: 1, codes } });
  const options = {
    apiKey: 'demo-write-key',
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    pacing: false,
  } as const;
  const client = createClient({ ...options, retry: { baseDelayMs: 1 } });
  const deliver = await listen(client);
  const orders = [await orderOf(client, 'A-1'), await orderOf(client, 'A-2')];
  for (const order of orders) {
    mock.patchOrganization({ runtime: 'down' });
    expect([await deliver(order), await deliver(order)]).toEqual([503, 503]);
    mock.patchOrganization({ runtime: 'up' });
    expect([await deliver(order), await deliver(order)]).toEqual([204, 204]);
  }
  const applied = mock.requests.list().filter((request) => request.applied);
  expect(applied.map(({ action }) => action)).toEqual(['create-tags', 'set-friend-tags', 'set-friend-tags']);
});

test('an order that cannot be applied is refused', async ({ client, mock }) => {
  vi.spyOn(console, 'error').mockReturnValue();
  const deliver = await listen(client);
  expect(await deliver('{}', 'wrong')).toBe(401);
  expect(await deliver('{}')).toBe(400);
  expect(mock.requests.list()).toEqual([]);
  const nobody = { accountId: 'account', userId: 'nobody' };
  expect(await deliver(JSON.stringify({ id: 'A-1', product: 'Tea', friend: nobody }))).toBe(422);
});

test('a second sync changes nothing', async ({ client }) => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  expect(await syncCatalog(client, path('catalog.json'))).toBe(true);
  log.mockClear();
  expect(await syncCatalog(client, path('catalog.json'))).toBe(true);
  expect(log.mock.calls).toEqual([['10 unchanged']]);
});

test('a sync that is refused says so', async ({ connect }) => {
  vi.spyOn(console, 'log').mockReturnValue();
  const error = vi.spyOn(console, 'error').mockReturnValue();
  expect(await syncCatalog(connect({ apiKey: 'demo-read-key' }), path('catalog.json'))).toBe(false);
  expect(error).toHaveBeenCalled();
});

test('unknown keywords are reported and not sent again', async ({ client, mock, requestLog }) => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords' });
  for (const _run of ['first', 'second']) {
    expect(await importKeywords(client, 'demo-site', path('keywords.txt'), false)).toBe(false);
    expect(log.mock.lastCall).toEqual(['unknown: 抹茶']);
  }
  requestLog.requested({ operation: 'addSeoKeywords' }, 1);
  expect(await importKeywords(client, 'demo-site', path('keywords.txt'), true)).toBe(true);
});

test('the service has at most 150 lines', () => {
  const files = ['main', 'service', 'orders', 'nightly-sync', 'keyword-import'];
  const lines = files.flatMap((name) =>
    readFileSync(new URL(`./${name}.ts`, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n'),
  );
  expect(lines.length).toBeLessThanOrEqual(150);
});
