import { createMock, type Mock } from '@orgchat/mock-server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient, DeadlineError } from '../../src/index.ts';
import { countRateLimiters } from '../../src/timing/rate-limiter.ts';
import { clock } from '../../test-support/clock.ts';
import { getRejection } from '../../test-support/rejection.ts';

/* The default pacing against the default limit of the mock; the clocks of both are the test's. */

const vip = { name: 'VIP', color: 'pink' } as const;
const openClient = (mock: Mock, options: ClientOptions = {}) =>
  createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, ...options });
const open = () => createMock({ now: () => Date.now() });

describe('the default pacing', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: [...clock.toFake] }));
  afterEach(() => void vi.useRealTimers());

  test('lets 200 concurrent creates succeed with the default deadline', async () => {
    const mock = open();
    const client = openClient(mock);
    const names = Array.from({ length: 200 }, (_, n) => `Tag ${n}`);
    const made = Promise.all(names.map((name) => client.tags.create({ name, color: 'pink' })));
    await vi.advanceTimersByTimeAsync(4 * 61_000);
    expect((await made).map(({ result }) => result?.name)).toEqual(names);
    expect(mock.operations()).toHaveLength(200);
    expect(mock.requests.list().filter(({ status }) => status === 429)).toEqual([]);
  });

  test('of a call in the queue extends the hold of its journal entry', async () => {
    const mock = open();
    const client = openClient(mock, { pacing: { perMinute: 1 } });
    const calls = [vip, vip, vip].map((data) => client.tags.create(data));
    await vi.advanceTimersByTimeAsync(1_000);
    const entries = await client.operations.list({ state: 'pending' });
    const minutes = entries.map(({ deadline }) => Math.round((Date.parse(deadline) - Date.now()) / 60_000));
    expect(minutes.sort()).toEqual([2, 3]);
    await vi.advanceTimersByTimeAsync(3 * 61_000);
    expect(await Promise.all(calls)).toHaveLength(3);
  });

  test('counts against an explicit timeoutMs, and says what to raise', async () => {
    const mock = open();
    const call = (given: ClientOptions, forCall: object) =>
      getRejection(openClient(mock, { ...given, pacing: { perMinute: 1 } }).tags.create(vip, forCall));
    await openClient(mock).account();
    const at = new Date(Date.now() + 60_250);
    for (const error of [await call({ timeoutMs: 5_000 }, {}), await call({}, { timeoutMs: 5_000 })]) {
      expect(error).toBeInstanceOf(DeadlineError);
      expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', waitingFor: 'pacing', retryAt: at });
      expect(error.message).toBe(
        `The pacing of 1 requests per minute has no free slot before ${at.toISOString()}. Raise timeoutMs above 60250, omit it, or raise pacing.perMinute. (POST /chat/changes create-tags: DEADLINE_EXCEEDED)`,
      );
    }
    const enough = openClient(mock, { pacing: { perMinute: 1 }, timeoutMs: 60_251 }).tags.create(vip);
    await vi.advanceTimersByTimeAsync(60_250);
    expect(await enough).toMatchObject({ applied: true });
  });

  test('is not shared by the mocks and sandboxes of a process', async () => {
    const mocks = Array.from({ length: 4 }, open);
    const apart = mocks.flatMap((mock) => [mock, mock.sandbox()]);
    expect(new Set(apart.map(({ baseUrl }) => baseUrl)).size).toBe(8);
    expect(new Set(mocks.map(({ controlUrl }) => controlUrl)).size).toBe(4);
    const clients = apart.map((mock) => openClient(mock, { timeoutMs: 1_000 }));
    for (const client of clients) for (let n = 0; n < 50; n++) await client.account();
  });

  test('is removed after a window without calls', async () => {
    const mock = open();
    // The first request after a clock was replaced clears what earlier tests left.
    await openClient(mock).account();
    const before = countRateLimiters();
    for (let n = 0; n < 1_000; n++) await openClient(mock.sandbox()).account();
    expect(countRateLimiters() - before).toBe(1_000);
    await vi.advanceTimersByTimeAsync(61_000);
    // Other tests in this process may have left some that are still in their window. So only the difference counts,
    // and each request passes two of them.
    for (let n = 0; n < 50; n++) await openClient(mock).account();
    expect(countRateLimiters() - before).toBeLessThanOrEqual(1);
  });

  test('that a client is still waiting for is kept', async () => {
    const mock = open();
    const client = openClient(mock, { pacing: { perMinute: 1 } });
    const calls = [1, 2, 3].map(() => client.account());
    await vi.advanceTimersByTimeAsync(61_000);
    // Another client with the same base URL and key queues after those that wait.
    const late = openClient(mock, { pacing: { perMinute: 1 }, timeoutMs: 1_000 });
    expect(await getRejection(late.account())).toMatchObject({ waitingFor: 'pacing' });
    await vi.advanceTimersByTimeAsync(61_000);
    await Promise.all(calls);
  });
});
