import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  applied,
  cutBody,
  failure,
  hang,
  json,
  lost,
  type Step,
  scripted,
} from '../test-support/scripted.ts';
import { createClient, DeadlineError, OutcomeUnknownError, RateLimitError, ServerError } from './index.ts';

const failing = failure(500, 'X');
const empty = json({ records: [], total: 0, limited: false });
const vip = { name: 'VIP', color: 'pink' } as const;
let site = 0;
/** Pacing is shared by base URL and key, so each test has its own. */
const elsewhere = () => ({ baseUrl: `https://api-${++site}.example.com/api/v1` });

async function failed(promise: PromiseLike<unknown>): Promise<{ error: unknown; ms: number }> {
  const startedAt = performance.now();
  const error = await promise.then(
    () => expect.unreachable('it should have been rejected'),
    (reason: unknown) => reason,
  );
  return { error, ms: performance.now() - startedAt };
}

/** The same on a clock of the test, which goes on as far as this: whoever waits longer is never heard of. */
async function failedWithin(ms: number, call: () => PromiseLike<unknown>): ReturnType<typeof failed> {
  const result = failed(call());
  await vi.advanceTimersByTimeAsync(ms);
  return result;
}
const clock = { toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] as const };

describe('Retry-After', () => {
  test('is waited for, never less', async () => {
    const { client, sent } = scripted([failure(429, 'RATE_LIMITED', { 'retry-after': '1' }), empty]);
    await client.tags.list();
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  test('that does not fit the deadline fails at once, and says when', async () => {
    const { client, sent } = scripted([failure(429, 'RATE_LIMITED', { 'retry-after': '3600' })]);
    const { error, ms } = await failed(client.account());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ limit: 'minute', retryAt: expect.any(Date) });
    const { retryAt } = error as RateLimitError;
    expect(Math.abs((retryAt?.getTime() ?? 0) - Date.now() - 3_600_000)).toBeLessThan(2000);
    expect(ms).toBeLessThan(60_000);
    expect(sent).toHaveLength(1);
  });

  test('as an HTTP-date, on a 503', async () => {
    const until = new Date(Date.now() + 3_600_000).toUTCString();
    for (const retry of [{}, false] as const) {
      const { client } = scripted([failure(503, 'X', { 'retry-after': until })], { retry });
      const { error } = await failed(client.account());
      expect(error).toBeInstanceOf(ServerError);
      expect((error as ServerError).retryAt).toEqual(new Date(until));
    }
  });

  test('leaves a change that may be applied unknown', async () => {
    const { client } = scripted([lost, failure(429, 'RATE_LIMITED', { 'retry-after': '3600' })]);
    const { error } = await failed(client.tags.create(vip));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ retryAt: expect.any(Date), status: 429 });
  });

  test('the quota is told apart, and is not waited for', async () => {
    const { client, sent } = scripted([failure(429, 'QUOTA_EXCEEDED')]);
    const { error } = await failed(client.account());
    expect(error).toMatchObject({ limit: 'quota' });
    expect(error).not.toHaveProperty('retryAt');
    expect(sent).toHaveLength(1);
  });
});

describe('one deadline', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: [...clock.toFake] });
    // Each wait is half of the longest, so that none ends when the deadline does.
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test.each<[string, readonly Step[]]>([
    ['an attempt', [hang]],
    ['a body', [cutBody(200, false)]],
    ['attempts and waits', [failing]],
  ])('covers %s', async (_name, steps) => {
    const { client } = scripted(steps, {
      timeoutMs: 40,
      retry: { maxAttempts: 1000, baseDelayMs: 5, maxDelayMs: 10 },
    });
    const { error, ms } = await failedWithin(40, () => client.account());
    expect(error).toBeInstanceOf(steps[0] === failing ? ServerError : DeadlineError);
    expect(ms).toBeLessThanOrEqual(40);
  });

  test('leaves a change under way unknown', async () => {
    const { client } = scripted([hang], { timeoutMs: 30 });
    // What entries are bound to is digested outside of the clock, once.
    await client.operations.list();
    const { error } = await failedWithin(30, () => client.tags.create(vip));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect((error as Error).cause).toBeInstanceOf(DeadlineError);
  });

  test('of one call goes before the client’s', async () => {
    const { client } = scripted([hang], { timeoutMs: 60_000 });
    const { error } = await failedWithin(20, () => client.account({ timeoutMs: 20 }));
    expect(error).toBeInstanceOf(DeadlineError);
  });

  test('of an attempt does not multiply it', async () => {
    const { client, sent } = scripted([hang], {
      timeoutMs: 60,
      attemptTimeoutMs: 20,
      retry: { baseDelayMs: 1 },
    });
    const { ms } = await failedWithin(60, () => client.account());
    expect(sent.length).toBeGreaterThan(1);
    expect(ms).toBeLessThanOrEqual(60);
  });

  test.each([0, -1, Number.NaN])('of %s is a mistake', async (timeoutMs) => {
    const { client } = scripted([empty]);
    expect((await failed(client.account({ timeoutMs }))).error).toMatchObject({ code: 'INVALID_OPTIONS' });
  });
});

describe('a signal', () => {
  test('that has spoken already sends nothing and records nothing', async () => {
    const { client, sent } = scripted([applied]);
    const reason = new Error('enough');
    const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
    const call = client.tags.create(vip, { operationId, signal: AbortSignal.abort(reason) });
    const { error } = await failed(call);
    expect(error).toMatchObject({ name: 'AbortError', code: 'ABORTED', cause: reason, operationId });
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
    expect(error).toMatchObject({ name: 'AbortError', code: 'ABORTED', message: 'GET /me: ABORTED' });
    // Left alone, it would take a wait of 30 seconds, an attempt of 20.
    expect(ms).toBeLessThan(15_000);
  });

  test('reaches the request that is under way', async () => {
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

  test('leaves a change under way unknown, and one in a wait after a lost attempt', async () => {
    for (const steps of [[hang], [lost, hang], [failure(500, 'X', { 'retry-after': '30' })]]) {
      const { client } = scripted(steps);
      const { error } = await failed(client.tags.create(vip, { signal: AbortSignal.timeout(20) }));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect((error as Error).cause).toMatchObject({ code: 'ABORTED' });
    }
  });

  test('ends the wait for a twin at once, and leaves the twin alone', async () => {
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

describe('pacing', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: [...clock.toFake] }));
  afterEach(() => void vi.useRealTimers());
  const patient = { timeoutMs: 10 * 60_000, pacing: { perMinute: 60 } };

  test('lets sixty pass in a minute, and the others in their order', async () => {
    const { client, sent } = scripted([empty], { ...patient, ...elsewhere() });
    const order: number[] = [];
    const calls = Array.from({ length: 130 }, (_, n) =>
      client.tags
        .list()
        .withResponse()
        .then(() => order.push(n)),
    );
    await vi.advanceTimersByTimeAsync(59_000);
    expect(order).toHaveLength(60);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(order).toHaveLength(120);
    await vi.advanceTimersByTimeAsync(61_000);
    await Promise.all(calls);
    expect(order).toEqual(Array.from({ length: 130 }, (_, n) => n));
    for (const [index, { at }] of sent.entries()) {
      const earlier = sent[index - 60];
      if (earlier) expect(at - earlier.at).toBeGreaterThanOrEqual(60_000);
    }
  });

  test('is shared by the clients of a base URL and key, and by nobody else', async () => {
    const here = elsewhere();
    const first = scripted([empty], { ...patient, ...here });
    const second = scripted([empty], { ...patient, ...here });
    const other = scripted([empty], { ...patient, ...here, apiKey: 'another-key-123456' });
    const calls = [first, second, other].flatMap(({ client }) =>
      Array.from({ length: 40 }, () => client.tags.list().withResponse()),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    expect([first.sent.length, second.sent.length, other.sent.length]).toEqual([40, 20, 40]);
    await vi.advanceTimersByTimeAsync(61_000);
    await Promise.all(calls);
  });

  test('counts attempts, not calls', async () => {
    const { client, sent } = scripted([failure(500, 'X'), failure(500, 'X'), empty], {
      ...patient,
      ...elsewhere(),
      pacing: { perMinute: 2 },
    });
    const call = client.tags.list().withResponse();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(61_000);
    expect((await call).attempts).toBe(3);
  });

  test('a turn after the deadline fails at once, and says when', async () => {
    const { client, sent } = scripted([empty], {
      ...elsewhere(),
      timeoutMs: 5_000,
      pacing: { perMinute: 1 },
    });
    await client.tags.list();
    const error = await client.tags.create(vip).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DeadlineError);
    const { retryAt } = error as DeadlineError;
    expect((retryAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(55_000);
    expect(sent).toHaveLength(1);
    expect(await client.operations.list()).toMatchObject([{ state: 'abandoned' }]);
  });

  test('an abort in the queue ends at once and takes no place', async () => {
    const { client, sent } = scripted([empty], { ...patient, ...elsewhere(), pacing: { perMinute: 1 } });
    await client.tags.list();
    const controller = new AbortController();
    const aborted = client.account({ signal: controller.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort();
    expect(await aborted).toMatchObject({ code: 'ABORTED' });
    const next = client.tags.list().withResponse();
    await vi.advanceTimersByTimeAsync(60_000);
    await next;
    expect(sent).toHaveLength(2);
  });

  test('of a number that is not whole lets no more pass', async () => {
    const { client, sent } = scripted([empty], {
      ...elsewhere(),
      timeoutMs: 1000,
      pacing: { perMinute: 1.5 },
    });
    await client.tags.list();
    expect((await failed(client.tags.list().withResponse())).error).toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      retryAt: expect.any(Date),
    });
    expect(sent).toHaveLength(1);
  });

  test('off is off', async () => {
    const { client, sent } = scripted([empty], { ...elsewhere(), pacing: false });
    await Promise.all(Array.from({ length: 200 }, () => client.tags.list()));
    expect(sent).toHaveLength(200);
  });
});
