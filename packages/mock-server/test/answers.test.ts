import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerMessage } from '../src/index.ts';
import { Caller } from './caller.ts';
import { type Door, doors } from './doors.ts';
import { Raw } from './raw.ts';

const channel = 'orgchat.mock.answer';
let told: AnswerMessage[] = [];
const listener = (message: unknown): void => void told.push(message as AnswerMessage);

beforeEach(() => {
  told = [];
  subscribe(channel, listener);
});
afterEach(() => unsubscribe(channel, listener));

describe.each(Object.entries(doors))('answers through %s', (_, open) => {
  let door: Door;
  let caller: Caller;
  beforeEach(async () => {
    door = await open({ sleep: async () => {} });
    caller = new Caller(door);
  });
  afterEach(() => door.close());

  it('are told with what was asked and what was answered', async () => {
    const { headers, body } = await caller.read({ resource: 'accounts' });
    expect(told).toEqual([
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
    expect(JSON.parse(told[0]?.body ?? '')).toEqual(body);
  });

  it.each([
    [400, '/chat/read', { body: '{', method: 'POST' }],
    [401, '/me', { headers: { Authorization: 'Bearer nobody' } }],
    [404, '/nowhere', {}],
    [405, '/me', { method: 'DELETE' }],
    [400, '/chat/read', { body: ' '.repeat(16 * 2 ** 20 + 1), method: 'POST' }],
  ])('are told where they are a %i', async (status, path, init) => {
    const response = await door.fetch(door.baseUrl + path, {
      headers: { Authorization: 'Bearer demo-write-key' },
      ...init,
    });
    expect(response.status).toBe(status);
    expect(told).toMatchObject([
      { path: `/api/v1${path}`, status, body: await response.text(), fault: null },
    ]);
  });

  it('are told apart where a fault made them what the contract does not have', async () => {
    door.mock.faults.arm({ effect: 'respond', status: 503, undeclared: true });
    door.mock.faults.arm({ effect: 'respond', status: 500, after: 1 });
    await caller.me();
    await caller.me();
    door.mock.faults.arm({ effect: 'cut-response' });
    await expect(caller.me()).rejects.toThrow();
    expect(told.map(({ status, fault }) => [status, fault])).toEqual([
      [503, 'undeclared'],
      [500, null],
      [200, 'cut'],
    ]);
    expect(JSON.parse(told[2]?.body ?? '')).toHaveProperty('organizationId');
  });

  it('are told when they are given, and not where the connection was reset', async () => {
    door.mock.faults.arm({ effect: 'drop-request' });
    await expect(caller.me()).rejects.toThrow();
    door.mock.faults.arm({ effect: 'lose-response' });
    await expect(caller.me()).rejects.toThrow();
    door.mock.faults.arm({ effect: 'delay', delayMs: 10 });
    expect((await caller.me()).status).toBe(200);
    expect(told.map(({ status }) => status)).toEqual([200]);
  });
});

describe('answers', () => {
  it('name the sandbox they come from, and its paths as if it were alone', async () => {
    const door = await doors['mock.fetch']();
    const sandbox = door.mock.sandbox();
    await new Caller(sandbox).me();
    expect(told).toMatchObject([{ path: '/api/v1/me', sandboxId: sandbox.id, status: 200 }]);
  });

  it('to what is no HTTP are told without method and path', async () => {
    const { mock, close } = await doors.HTTP();
    const server = await mock.listen({ port: 0 });
    const raw = new Raw(server.port).send('hello\r\n\r\n');
    const received = await raw.ended();
    expect(told).toMatchObject([{ method: null, path: null, sandboxId: null, status: 400, fault: null }]);
    expect(received).toContain(told[0]?.body);
    await server.close();
    await close();
  });
});
