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

type Webhook = { POST(request: Request): Promise<Response> };
type Queue = { work(job: { id: string; name: string }): Promise<string> };

const { mock, load, applied } = useRecipePrograms();
const secret = 'whsec_test';

const sign = (body: string): string => createHmac('sha256', secret).update(body).digest('hex');

/** The status of a delivery. */
async function post({ POST }: Webhook, body: string, signature = sign(body)): Promise<number> {
  const headers = { 'x-signature': signature };
  return (await POST(new Request('https://shop.example/', { method: 'POST', headers, body }))).status;
}

const deliver = (webhook: Webhook, event: { id: string; friend: FriendRef }): Promise<number> =>
  post(webhook, JSON.stringify(event));

/** A friend to enroll, and the environment that the webhook reads. */
async function prepareWebhook(): Promise<FriendRef> {
  const client = createClient();
  const [scenario] = (await client.scenarios.list({ limit: 1 })).records;
  vi.stubEnv('WELCOME_SCENARIO_ID', scenario?.id ?? '');
  vi.stubEnv('WEBHOOK_SECRET', secret);
  const [friend] = (await client.friends.list({ limit: 1 })).records;
  if (!friend) throw new Error('The demo organization has no friends.');
  return friend;
}

it('the page marks the lines that make each event one change', () => {
  const [, marks = ''] = /^```ts webhook \{(.+)\}$/m.exec(page) ?? [];
  const lines = recipe('ts', 'webhook').split('\n');
  const marked = marks.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return lines.slice(first - 1, last).map((line) => line.trim());
  });
  expect(marked).toEqual([
    'const client = createClient({ journal: fileJournal() });',
    'await client.friends.enroll(event.friend, scenario, {',
    "intent: ['signup', event.id],",
    '});',
    'return answer(isFinal(error) ? 422 : 503);',
  ]);
});

it('an event that is delivered again is applied once', async () => {
  const event = { id: 'evt_1', friend: await prepareWebhook() };
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  for (const webhook of [await load<Webhook>('webhook'), await load<Webhook>('webhook')]) {
    expect(await deliver(webhook, event)).toBe(204);
    expect(await deliver(webhook, event)).toBe(204);
  }
  expect(applied()).toBe(1);
});

it('an unknown outcome asks for another delivery', async () => {
  const event = { id: 'evt_2', friend: await prepareWebhook() };
  mock.faults.arm({ effect: 'uncertain', operation: 'changeChat', resolve: { afterRequests: 1 } });
  const webhook = await load<Webhook>('webhook');
  expect(await deliver(webhook, event)).toBe(503);
  expect(await deliver(webhook, event)).toBe(204);
  expect(applied()).toBe(1);
});

it.each([
  ['RUNTIME_UNAVAILABLE', 4],
  ['ASLEEP', 1],
])('webhook and queue: nothing is lost while the runtime is down (404 %s)', async (error, attempts) => {
  const event = { id: 'evt_3', friend: await prepareWebhook() };
  const webhook = await load<Webhook>('webhook');
  const { work } = await load<Queue>('queue');
  const job = { id: 'job_5', name: 'Patient' };
  const times = 2 * attempts;
  mock.faults.arm({ effect: 'respond', operation: 'changeChat', status: 404, error, times });
  expect(await Promise.all([deliver(webhook, event), work(job)])).toEqual([503, 'retry']);
  for (let n = 0; n < 2; n++) expect([await deliver(webhook, event), await work(job)]).toEqual([204, 'done']);
  expect(applied()).toBe(2);
});

it('an event that can never be applied is final', async () => {
  const friend = { ...(await prepareWebhook()), userId: `U${'0'.repeat(32)}` };
  expect(await deliver(await load<Webhook>('webhook'), { id: 'evt_4', friend })).toBe(422);
});

it('what the SDK refuses is final, and nothing is sent', async () => {
  const { accountId } = await prepareWebhook();
  const webhook = await load<Webhook>('webhook');
  const { work } = await load<Queue>('queue');
  const before = mock.requests.list().length;
  expect(await deliver(webhook, { id: 'evt_5', friend: { accountId } as FriendRef })).toBe(422);
  expect(await work({ name: 'No id' } as Parameters<Queue['work']>[0])).toBe('failed');
  expect(mock.requests.list()).toHaveLength(before);
});

it('answers 401 to a body that is not signed, and what the page shows to its deliveries', async () => {
  expect(recipe('sh', 'webhook-start')).toContain(`WEBHOOK_SECRET=${secret}\n`);
  const sent = JSON.stringify({ id: 'evt_6', friend: await prepareWebhook() });
  const webhook = await load<Webhook>('webhook');
  for (const wrong of ['', '0'.repeat(64), `${sign(sent)}0`])
    expect(await post(webhook, sent, wrong)).toBe(401);
  expect(applied()).toBe(0);
  const server = createServer(async (incoming, outgoing) => {
    const status = await post(webhook, await text(incoming), String(incoming.headers['x-signature']));
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
  'answers 422 to a signed body that is not an event: %s',
  async (body) => {
    await prepareWebhook();
    expect(await post(await load<Webhook>('webhook'), body)).toBe(422);
  },
);

it.each(['WELCOME_SCENARIO_ID', 'WEBHOOK_SECRET'])('does not start without %s', async (variable) => {
  await prepareWebhook();
  vi.stubEnv(variable, '');
  await expect(load('webhook')).rejects.toThrow(`Set ${variable}.`);
});
