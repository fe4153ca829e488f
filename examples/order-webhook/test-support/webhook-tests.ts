import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMock, type Listening, type Mock } from '@orgchat/mock-server';
import { createClient, type Friend, type OrgChatClient } from '@orgchat/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Delivery } from '../handle-order.ts';
import { type FlakyGateway, openFlakyGateway } from './flaky-gateway.ts';
import { deliveryOf, secret, signed } from './order-delivery.ts';

/** The answer of a webhook to a delivery. */
export interface WebhookAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

/** A webhook that is running, such as a server on a port or the function of a module. */
export interface RunningWebhook {
  deliver(delivery: Delivery): Promise<WebhookAnswer>;
  end(): Promise<void> | void;
}

/**
 * What every order webhook promises its sender. `start` starts it as a new process would, with the settings of the
 * environment.
 */
export function testOrderWebhook(start: () => Promise<RunningWebhook>): void {
  const server = createMock({ rateLimit: 'off' });
  let listening: Listening;
  let mock: Mock;
  let gateway: FlakyGateway;
  let reader: OrgChatClient;
  let friend: Friend;
  let tagId: string;
  const running: RunningWebhook[] = [];
  const restart = async (): Promise<RunningWebhook> => {
    const webhook = await start();
    running.push(webhook);
    return webhook;
  };
  const changes = () => mock.requests.list().filter(({ action }) => action === 'set-friend-tags');
  const applied = () => changes().filter((request) => request.applied).length;
  const tagsNow = async () => (await reader.friends.get(friend)).tagIds;

  beforeAll(async () => {
    listening = await server.listen({ port: 0 });
  });
  afterAll(() => listening.close());
  beforeEach(async () => {
    mock = server.sandbox();
    vi.stubEnv('ORGCHAT_API_KEY', 'demo-write-key');
    const { baseUrl } = mock.addresses(listening.url);
    gateway = await openFlakyGateway(baseUrl);
    vi.stubEnv('ORGCHAT_BASE_URL', baseUrl);
    vi.stubEnv('WEBHOOK_SECRET', secret);
    vi.stubEnv('JOURNAL_DIR', mkdtempSync(join(tmpdir(), 'webhook-')));
    reader = createClient({ pacing: false });
    friend = (await reader.friends.list({ search: 'Ben' }).first()) as Friend;
    tagId = (await reader.tags.find({ name: 'VIP' }))?.id ?? '';
    vi.stubEnv('ORDER_TAG_ID', tagId);
    expect(friend.tagIds).not.toContain(tagId);
  });
  afterEach(async () => {
    for (const webhook of running.splice(0)) await webhook.end();
    vi.unstubAllEnvs();
    gateway.close();
    mock.drop();
  });

  describe('order webhook', () => {
    it('adds the tag, and answers 200 to every delivery of the order', async () => {
      const webhook = await restart();
      const delivery = deliveryOf('A-1', friend);
      expect(await webhook.deliver(delivery)).toMatchObject({ status: 200, body: { replayed: false } });
      expect(await webhook.deliver(delivery)).toMatchObject({ status: 200, body: { replayed: true } });
      expect(await tagsNow()).toEqual([...friend.tagIds, tagId]);
      expect(applied()).toBe(1);
    });

    it('answers 200 to a delivery of the order after a restart', async () => {
      const delivery = deliveryOf('A-1', friend);
      expect(await (await restart()).deliver(delivery)).toMatchObject({ status: 200 });
      expect(await (await restart()).deliver(delivery)).toMatchObject({
        status: 200,
        body: { replayed: true },
      });
      expect(applied()).toBe(1);
    });

    it('does not add a tag again that an operator removed', async () => {
      const delivery = deliveryOf('A-1', friend);
      expect(await (await restart()).deliver(delivery)).toMatchObject({ status: 200 });
      mock.edit({ resource: 'friends', id: friend.userId, data: { tagIds: friend.tagIds } });
      const again = await (await restart()).deliver(delivery);
      expect(again).toMatchObject({ status: 200, body: { replayed: true } });
      expect(await tagsNow()).toEqual(friend.tagIds);
    });

    it('adds the tag once if answers are lost and cut', async () => {
      mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
      mock.faults.arm({ effect: 'cut-response', operation: 'changeChat' });
      expect(await (await restart()).deliver(deliveryOf('A-1', friend))).toMatchObject({ status: 200 });
      expect(changes()).toHaveLength(3);
      expect(applied()).toBe(1);
    });

    it('adds the tag once if two deliveries arrive at the same time', async () => {
      const webhook = await restart();
      const delivery = deliveryOf('A-1', friend);
      const answers = await Promise.all([webhook.deliver(delivery), webhook.deliver(delivery)]);
      // The second may be asked to come again.
      for (const { status } of answers) expect([200, 503]).toContain(status);
      expect(await webhook.deliver(delivery)).toMatchObject({ status: 200, body: { replayed: true } });
      expect(applied()).toBe(1);
    });

    it('keeps the tags that an operator adds in the meantime', async () => {
      mock.faults.arm({ effect: 'rival-edit', action: 'set-friend-tags' });
      expect(await (await restart()).deliver(deliveryOf('A-1', friend))).toMatchObject({ status: 200 });
      expect(await tagsNow()).toContain(tagId);
      expect(applied()).toBe(1);
    });

    it('answers 503 while the outcome is unknown, and 200 once it is known', async () => {
      mock.faults.arm({ effect: 'uncertain', operation: 'changeChat', resolve: { afterRequests: 1 } });
      const webhook = await restart();
      const delivery = deliveryOf('A-1', friend);
      expect(await webhook.deliver(delivery)).toMatchObject({
        status: 503,
        retryAfter: expect.stringMatching(/^\d+$/),
        body: { code: 'OPERATION_UNCERTAIN' },
      });
      expect(await webhook.deliver(delivery)).toMatchObject({ status: 200 });
      expect(applied()).toBe(1);
    });

    it.each([
      ['the default codes', false],
      ['codes that nobody configured', true],
    ])('loses no order while the runtime is down for a while: %s', async (_, renamesCodes) => {
      gateway.renamesCodes = renamesCodes;
      vi.stubEnv('ORGCHAT_BASE_URL', gateway.baseUrl);
      const friends = (await reader.friends.list().toArray()).filter(({ tagIds }) => !tagIds.includes(tagId));
      const orders = friends.slice(0, 2).map((one, n) => deliveryOf(`A-${n}`, one));
      expect(orders).toHaveLength(2);
      const webhook = await restart();
      const deliver = async (to = webhook) =>
        (await Promise.all(orders.map((order) => to.deliver(order)))).map(({ status }) => status);
      mock.patchOrganization({ runtime: 'down' });
      expect(await deliver()).toEqual([503, 503]);
      mock.patchOrganization({ runtime: 'up' });
      // It goes down again between the reads and the writes.
      const lapse = { effect: 'respond', status: 404, error: 'RUNTIME_UNAVAILABLE', times: 2 } as const;
      mock.faults.arm({ ...lapse, operation: 'changeChat' });
      for (const status of await deliver()) expect([200, 503]).toContain(status);
      expect(await deliver()).toEqual([200, 200]);
      // Without a journal, a code that is not known may say that another machine has the order in progress.
      const later = renamesCodes ? [200, 503] : [200];
      for (const status of await deliver(await restart())) expect(later).toContain(status);
      expect(applied()).toBe(2);
    });

    it('loses no order while a gateway has no route to the API', async () => {
      vi.stubEnv('ORGCHAT_BASE_URL', gateway.baseUrl);
      const webhook = await restart();
      const delivery = deliveryOf('A-1', friend);
      gateway.unrouted = Number.POSITIVE_INFINITY;
      expect(await webhook.deliver(delivery)).toMatchObject({
        status: 503,
        body: { code: 'INVALID_RESPONSE' },
      });
      gateway.unrouted = 2;
      expect(await webhook.deliver(delivery)).toMatchObject({ status: 200 });
      expect(await webhook.deliver(delivery)).toMatchObject({ status: 200, body: { replayed: true } });
      expect(applied()).toBe(1);
    });

    it('answers 503 while the key does not work, because the order is not lost', async () => {
      mock.patchKey('demo-write-key', { revoked: true });
      const webhook = await restart();
      expect(await webhook.deliver(deliveryOf('A-1', friend))).toMatchObject({ status: 503 });
      mock.patchKey('demo-write-key', { revoked: false });
      expect(await webhook.deliver(deliveryOf('A-1', friend))).toMatchObject({ status: 200 });
    });

    it('fails without the id of the tag, so no order is refused', async () => {
      vi.stubEnv('ORDER_TAG_ID', '');
      const before = mock.requests.list().length;
      // Frameworks answer 500 to what throws, not all of them with JSON.
      const answer = await restart()
        .then((webhook) => webhook.deliver(deliveryOf('A-1', friend)))
        .catch(() => undefined);
      expect(answer?.status ?? 500).toBe(500);
      expect(mock.requests.list()).toHaveLength(before);
    });

    it('answers 422 to an order that no delivery can apply', async () => {
      const nobody = { accountId: friend.accountId, userId: `U${'0'.repeat(32)}` };
      const webhook = await restart();
      expect(await webhook.deliver(deliveryOf('A-1', nobody))).toMatchObject({
        status: 422,
        body: { code: 'NOT_FOUND' },
      });
      expect(applied()).toBe(0);
    });

    it.each([
      ['a wrong signature', { body: '{}', signature: '00' }, 401],
      ['no signature', { body: '{}', signature: undefined }, 401],
      ['a body that is not JSON', signed('order'), 400],
      ['an order without a friend', signed('{"id":"A-1"}'), 400],
      ['an order without an id', signed('{"id":"","friend":{"accountId":"a","userId":"b"}}'), 400],
      ['an order that is null', signed('null'), 400],
    ])('sends nothing for %s', async (_, delivery, status) => {
      const before = mock.requests.list().length;
      expect(await (await restart()).deliver(delivery)).toMatchObject({ status });
      expect(mock.requests.list()).toHaveLength(before);
    });
  });
}

/** Delivers over HTTP to a webhook that listens on a port of this machine. */
export async function deliverOverHttp(port: number, { body, signature }: Delivery): Promise<WebhookAnswer> {
  const headers = { 'content-type': 'application/json', ...(signature && { 'x-signature': signature }) };
  return toWebhookAnswer(await fetch(`http://127.0.0.1:${port}/orders`, { method: 'POST', headers, body }));
}

/** The request of a delivery, for functions that get one. */
export function toRequest({ body, signature }: Delivery): Request {
  const headers = { 'content-type': 'application/json', ...(signature && { 'x-signature': signature }) };
  return new Request('https://shop.example/orders', { method: 'POST', headers, body });
}

export const toWebhookAnswer = async (response: Response): Promise<WebhookAnswer> => ({
  status: response.status,
  retryAfter: response.headers.get('retry-after'),
  body: await response.json(),
});
