import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerMessage } from '../../src/index.ts';
import { adapters, type ServedMock } from '../../test-support/adapters.ts';
import { Caller } from '../../test-support/caller.ts';
import { Raw } from '../../test-support/raw.ts';

const channel = 'orgchat.mock.answer';
let published: AnswerMessage[] = [];
const listener = (message: unknown): void => void published.push(message as AnswerMessage);

beforeEach(() => {
  published = [];
  subscribe(channel, listener);
});
afterEach(() => unsubscribe(channel, listener));

describe.each(Object.entries(adapters))('answers through %s', (_, open) => {
  let served: ServedMock;
  let caller: Caller;
  beforeEach(async () => {
    served = await open({ sleep: async () => {} });
    caller = new Caller(served);
  });
  afterEach(() => served.close());

  it('are published with request and response', async () => {
    const { headers, body } = await caller.read({ resource: 'accounts' });
    expect(published).toEqual([
      {
        method: 'POST',
        path: '/api/v1/chat/read',
        sandboxId: null,
        status: 200,
        headers: { 'Content-Type': 'application/json', 'X-Request-Id': headers.get('x-request-id') },
        body: expect.any(String),
        fault: null,
      },
    ]);
    expect(JSON.parse(published[0]?.body ?? '')).toEqual(body);
  });

  it.each([
    [400, '/chat/read', { body: '{', method: 'POST' }],
    [401, '/me', { headers: { Authorization: 'Bearer nobody' } }],
    [404, '/nowhere', {}],
    [405, '/me', { method: 'DELETE' }],
    [400, '/chat/read', { body: ' '.repeat(16 * 2 ** 20 + 1), method: 'POST' }],
  ])('are published with status %i', async (status, path, init) => {
    const response = await served.fetch(served.baseUrl + path, {
      headers: { Authorization: 'Bearer demo-write-key' },
      ...init,
    });
    expect(response.status).toBe(status);
    expect(published).toMatchObject([
      { path: `/api/v1${path}`, status, body: await response.text(), fault: null },
    ]);
  });

  it('are marked if a fault made them differ from the contract', async () => {
    served.mock.faults.arm({ effect: 'respond', status: 503, undeclared: true });
    served.mock.faults.arm({ effect: 'respond', status: 500, after: 1 });
    await caller.me();
    await caller.me();
    served.mock.faults.arm({ effect: 'cut-response' });
    await expect(caller.me()).rejects.toThrow();
    expect(published.map(({ status, fault }) => [status, fault])).toEqual([
      [503, 'undeclared'],
      [500, null],
      [200, 'cut'],
    ]);
    expect(JSON.parse(published[2]?.body ?? '')).toHaveProperty('organizationId');
  });

  it('are published when sent, and not if the connection was reset', async () => {
    served.mock.faults.arm({ effect: 'drop-request' });
    await expect(caller.me()).rejects.toThrow();
    served.mock.faults.arm({ effect: 'lose-response' });
    await expect(caller.me()).rejects.toThrow();
    served.mock.faults.arm({ effect: 'delay', delayMs: 10 });
    expect((await caller.me()).status).toBe(200);
    expect(published.map(({ status }) => status)).toEqual([200]);
  });
});

describe('answers', () => {
  it('name their sandbox, with paths below its root', async () => {
    const served = await adapters['mock.fetch']();
    const sandbox = served.mock.sandbox();
    await new Caller(sandbox).me();
    expect(published).toMatchObject([{ path: '/api/v1/me', sandboxId: sandbox.id, status: 200 }]);
  });

  it('to malformed HTTP are published without method and path', async () => {
    const { mock, close } = await adapters.HTTP();
    const server = await mock.listen({ port: 0 });
    const raw = new Raw(server.port).send('hello\r\n\r\n');
    const received = await raw.ended();
    expect(published).toMatchObject([
      { method: null, path: null, sandboxId: null, status: 400, fault: null },
    ]);
    expect(received).toContain(published[0]?.body);
    await server.close();
    await close();
  });
});
