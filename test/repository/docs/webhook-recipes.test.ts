import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createClient, type FriendRef } from '@orgchat/sdk';
import { expect, it, vi } from 'vitest';
import { blocksOf, page, recipe } from '../../test-support/cookbook.ts';
import { useRecipePrograms } from '../../test-support/recipe-programs.ts';

/* The recipes of docs/cookbook.md for webhooks and queues: how a delivery ends. */

type Webhook = { handleSignup(event: { id: string; friend: FriendRef }): Promise<number> };
type Route = { POST(request: Request): Promise<Response> };
type Queue = { work(job: { id: string; name: string }): Promise<string> };

const { mock, load, applied } = useRecipePrograms();

/** A friend to enroll, and the environment that the webhook reads. */
async function prepareWebhook(): Promise<FriendRef> {
  const client = createClient();
  const [scenario] = (await client.scenarios.list({ limit: 1 })).records;
  vi.stubEnv('WELCOME_SCENARIO_ID', scenario?.id ?? '');
  const [friend] = (await client.friends.list({ limit: 1 })).records;
  if (!friend) throw new Error('The demo organization has no friends.');
  return friend;
}

it('the page begins with lines of its program', () => {
  const [, shown = ''] = /^## Webhook handler\n[\s\S]*?^```ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const lines = recipe('ts', 'webhook')
    .split('\n')
    .map((line) => line.trim());
  const first = shown.split('\n').map((line) => line.trim());
  expect(first.length).toBeGreaterThan(4);
  expect(first.filter((line) => !lines.includes(line))).toEqual([]);
});

it('an event that is delivered again is applied once', async () => {
  const event = { id: 'evt_1', friend: await prepareWebhook() };
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  for (const { handleSignup } of [await load<Webhook>('webhook'), await load<Webhook>('webhook')]) {
    expect(await handleSignup(event)).toBe(204);
    expect(await handleSignup(event)).toBe(204);
  }
  expect(applied()).toBe(1);
});

it('an unknown outcome asks for another delivery', async () => {
  const event = { id: 'evt_2', friend: await prepareWebhook() };
  mock.faults.arm({ effect: 'uncertain', operation: 'changeChat', resolve: { afterRequests: 1 } });
  const { handleSignup } = await load<Webhook>('webhook');
  expect(await handleSignup(event)).toBe(503);
  expect(await handleSignup(event)).toBe(204);
  expect(applied()).toBe(1);
});

it.each([
  ['RUNTIME_UNAVAILABLE', 4],
  ['ASLEEP', 1],
])('webhook and queue: nothing is lost while the runtime is down (404 %s)', async (error, attempts) => {
  const event = { id: 'evt_3', friend: await prepareWebhook() };
  const { handleSignup } = await load<Webhook>('webhook');
  const { work } = await load<Queue>('queue');
  const job = { id: 'job_5', name: 'Patient' };
  const times = 2 * attempts;
  mock.faults.arm({ effect: 'respond', operation: 'changeChat', status: 404, error, times });
  expect(await Promise.all([handleSignup(event), work(job)])).toEqual([503, 'retry']);
  for (let n = 0; n < 2; n++) expect([await handleSignup(event), await work(job)]).toEqual([204, 'done']);
  expect(applied()).toBe(2);
});

it('an event that can never be applied is final', async () => {
  const friend = { ...(await prepareWebhook()), userId: `U${'0'.repeat(32)}` };
  expect(await (await load<Webhook>('webhook')).handleSignup({ id: 'evt_4', friend })).toBe(422);
});

it('what the SDK refuses is final, and nothing is sent', async () => {
  const { accountId } = await prepareWebhook();
  const { handleSignup } = await load<Webhook>('webhook');
  const { work } = await load<Queue>('queue');
  const before = mock.requests.list().length;
  expect(await handleSignup({ id: 'evt_5', friend: { accountId } as FriendRef })).toBe(422);
  expect(await work({ name: 'No id' } as Parameters<Queue['work']>[0])).toBe('failed');
  expect(mock.requests.list()).toHaveLength(before);
});

it('the route answers 401 to a body that is not signed, and what the page shows to its deliveries', async () => {
  const [, secret = ''] = /WEBHOOK_SECRET=(.+)/.exec(recipe('sh', 'webhook-start')) ?? [];
  vi.stubEnv('WEBHOOK_SECRET', secret);
  const sent = JSON.stringify({ id: 'evt_6', friend: await prepareWebhook() });
  const { POST } = await load<Route>('webhook-route');
  const post = async (signature: string, body: string): Promise<number> => {
    const headers = { 'x-signature': signature };
    return (await POST(new Request('https://shop.example/', { method: 'POST', headers, body }))).status;
  };
  const signature = createHmac('sha256', secret).update(sent).digest('hex');
  for (const wrong of ['', '0'.repeat(64), `${signature}0`]) expect(await post(wrong, sent)).toBe(401);
  expect(applied()).toBe(0);
  const server = createServer(async (incoming, outgoing) => {
    const status = await post(String(incoming.headers['x-signature']), await text(incoming));
    outgoing.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const commands = recipe('sh', 'webhook-try').replace('127.0.0.1:3000', `127.0.0.1:${port}`);
  const { stdout } = await promisify(execFile)('bash', ['-euc', commands]);
  server.close();
  expect(stdout).toBe(blocksOf(page, 'text').get('webhook-try'));
  expect(applied()).toBe(1);
});

it.each(['', '{', 'null', '[]', '{"id":1}'])(
  'the route answers 422 to a signed body that is not an event: %s',
  async (body) => {
    await prepareWebhook();
    vi.stubEnv('WEBHOOK_SECRET', 'whsec_test');
    const { POST } = await load<Route>('webhook-route');
    const signature = createHmac('sha256', 'whsec_test').update(body).digest('hex');
    const headers = { 'x-signature': signature };
    const { status } = await POST(new Request('https://shop.example/', { method: 'POST', headers, body }));
    expect(status).toBe(422);
  },
);

it.each([
  ['webhook', 'WELCOME_SCENARIO_ID'],
  ['webhook-route', 'WEBHOOK_SECRET'],
])('%s: does not start without %s', async (name, variable) => {
  await prepareWebhook();
  vi.stubEnv(variable, '');
  await expect(load(name)).rejects.toThrow(`Set ${variable}.`);
});
