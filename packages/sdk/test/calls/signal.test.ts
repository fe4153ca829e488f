import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { createClient, OutcomeUnknownError } from '../../src/index.ts';
import { failed, getRejection } from '../../test-support/rejection.ts';
import {
  applied,
  cutBody,
  elsewhere,
  failure,
  hang,
  json,
  lost,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';

const empty = json({ records: [], total: 0, limited: false });
const vip = { name: 'VIP', color: 'pink' } as const;

describe('a signal', () => {
  test('that is already aborted sends nothing and records nothing', async () => {
    const { client, sent } = scripted([applied]);
    const reason = new Error('enough');
    const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
    const call = client.tags.create(vip, { operationId, signal: AbortSignal.abort(reason) });
    const { error } = await failed(call);
    expect(error).toMatchObject({ name: 'AbortError', code: 'ABORTED', cause: reason, operationId });
    expect(sent).toHaveLength(0);
    expect(await client.operations.list()).toEqual([]);
  });

  test('that is an AbortController by mistake sends nothing and records nothing', async () => {
    const { client, sent } = scripted([applied]);
    const signal = new AbortController() as unknown as AbortSignal;
    for (const call of [client.tags.create(vip, { signal }), client.account({ signal })]) {
      expect(await getRejection(call)).toBeInstanceOf(TypeError);
    }
    expect(sent).toHaveLength(0);
    expect(await client.operations.list()).toEqual([]);
  });

  test.each<[string, readonly Step[], object]>([
    ['an attempt', [hang], {}],
    ['a body', [cutBody(200, false)], {}],
    ['a wait', [failure(500, 'X', { 'retry-after': '30' })], {}],
  ])('ends %s at once', async (_name, steps, options) => {
    const { client } = scripted(steps, options);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    const { error, ms } = await failed(client.account({ signal: controller.signal }));
    expect(error).toMatchObject({
      name: 'AbortError',
      code: 'ABORTED',
      message: 'The signal aborted the call. (GET /me: ABORTED)',
    });
    // Left alone, it would take a wait of 30 seconds, an attempt of 20.
    expect(ms).toBeLessThan(15_000);
  });

  test('aborts the request that is in progress', async () => {
    let aborted = false;
    const watch: Step = (request, body) => {
      request.signal.addEventListener('abort', () => {
        aborted = true;
      });
      return hang(request, body);
    };
    const { client } = scripted([watch]);
    await failed(client.account({ signal: AbortSignal.timeout(10) }));
    expect(aborted).toBe(true);
  });

  test.each(['before the answer', 'in its body'])(
    'closes the connection %s, with the global fetch',
    async (when) => {
      const controller = new AbortController();
      const server = createServer();
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const closed = new Promise((resolve) => {
        server.on('request', ({ socket }, response) => {
          socket.once('close', resolve);
          if (when === 'in its body') response.write('{');
          else controller.abort();
        });
      });
      const { fetch } = globalThis;
      vi.stubGlobal('fetch', async (...sent: Parameters<typeof fetch>) => {
        const response = await fetch(...sent);
        setTimeout(() => controller.abort());
        return response;
      });
      const { port } = server.address() as AddressInfo;
      const client = createClient({ apiKey: 'test-key', baseUrl: `http://127.0.0.1:${port}/api/v1` });
      const { error } = await failed(client.account({ signal: controller.signal }));
      vi.unstubAllGlobals();
      expect(error).toMatchObject({ code: 'ABORTED' });
      await closed;
      server.close();
      server.closeAllConnections();
    },
  );

  test('of an attempt whose time is up is aborted, with the global fetch and one of the caller’s', async () => {
    const signals: AbortSignal[] = [];
    const watch = (signal: AbortSignal): Promise<Response> => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    vi.stubGlobal('fetch', (_request: Request, init: RequestInit) => watch(init.signal as AbortSignal));
    const shared = { apiKey: 'test-key', attemptTimeoutMs: 5, retry: false } as const;
    const ours = createClient({ ...shared, ...elsewhere() });
    const theirs = createClient({ ...shared, ...elsewhere(), fetch: (request) => watch(request.signal) });
    for (const client of [ours, theirs]) await failed(client.account());
    vi.unstubAllGlobals();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test('leaves a change in progress unknown, and one that waits after a lost attempt', async () => {
    for (const steps of [[hang], [lost, hang], [failure(500, 'X', { 'retry-after': '30' })]]) {
      const { client } = scripted(steps);
      const { error } = await failed(client.tags.create(vip, { signal: AbortSignal.timeout(20) }));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect((error as Error).cause).toMatchObject({ code: 'ABORTED' });
    }
  });

  test('ends the wait for another call at once, and does not affect that call', async () => {
    let answer: (response: Response) => void = () => undefined;
    const held: Step = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const { client, sent } = scripted([held]);
    const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
    const twin = client.tags.create(vip, { operationId });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    const controller = new AbortController();
    const second = failed(client.tags.create(vip, { operationId, signal: controller.signal }));
    await new Promise(setImmediate);
    controller.abort();
    expect((await second).error).toMatchObject({ name: 'AbortError', attempts: 0, operationId });
    answer(await applied(new Request('https://x.example'), ''));
    expect(await twin).toMatchObject({ applied: true });
    expect(sent).toHaveLength(1);
    expect(await client.operations.list()).toMatchObject([{ state: 'applied' }]);
  });

  test('leaves a change in a wait after a refusal abandoned', async () => {
    const { client } = scripted([failure(429, 'RATE_LIMITED', { 'retry-after': '30' })]);
    const { error } = await failed(client.tags.create(vip, { signal: AbortSignal.timeout(20) }));
    expect(error).toMatchObject({ code: 'ABORTED' });
    expect(await client.operations.list()).toMatchObject([{ state: 'abandoned' }]);
  });

  test('leaves no listeners behind', async () => {
    const { client } = scripted([failure(500, 'X'), empty]);
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    await client.tags.list({ signal });
    expect(add.mock.calls.length).toBeGreaterThan(0);
    for (const [, listener] of add.mock.calls) expect(remove).toHaveBeenCalledWith('abort', listener);
  });
});
