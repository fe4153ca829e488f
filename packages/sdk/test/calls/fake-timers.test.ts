import { createRequire } from 'node:module';
import { mock as nodeMock } from 'node:test';
import { createMock } from '@orgchat/mock-server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient, type OrgChatError } from '../../src/index.ts';

/* A client that has done nothing yet, in a test whose clock is not the real one. */

const vip = { name: 'VIP', color: 'pink' } as const;

function open() {
  const mock = createMock({ rateLimit: 'off' });
  mock.faults.arm({ effect: 'respond', status: 500, operation: 'changeChat' });
  const client = createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch });
  return { mock, client };
}

afterEach(() => void vi.useRealTimers());

describe.each<[string, Parameters<typeof vi.useFakeTimers>[0]]>([
  ['as they are by default', undefined],
  ['with performance and Date', { toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }],
  ['without performance', { toFake: ['setTimeout', 'clearTimeout', 'Date'] }],
])('fake timers %s', (_name, options) => {
  test.each([undefined, ['an', 'intent']])('with intent %j', async (intent) => {
    vi.useFakeTimers(options);
    for (let round = 0; round < 20; round++) {
      const { mock, client } = open();
      const call = client.tags.create(vip, { intent });
      await vi.runAllTimersAsync();
      expect(await call).toMatchObject({ applied: true, result: { name: 'VIP' } });
      expect(mock.requests.list()).toHaveLength(2);
    }
  });

  test('end the wait for a slot when they are advanced by a minute', async () => {
    vi.useFakeTimers(options);
    const mock = createMock({ rateLimit: 'off' });
    const pacing = { perMinute: 1 };
    const client = createClient({
      apiKey: 'demo-write-key',
      baseUrl: mock.baseUrl,
      fetch: mock.fetch,
      pacing,
    });
    const calls = [client.account(), client.tags.create(vip)];
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await Promise.all(calls)).toHaveLength(2);
  });
});

test('an operation is resumed by the built package', async () => {
  const built: { createClient: typeof createClient } = createRequire(import.meta.url)(
    '../../dist/cjs/index.js',
  );
  vi.useFakeTimers();
  const mock = createMock({ rateLimit: 'off' });
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 4 });
  const client = built.createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch });
  const call = client.tags.create(vip).catch((error: OrgChatError) => error);
  await vi.runAllTimersAsync();
  expect(await call).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  mock.faults.arm({ effect: 'respond', status: 500, operation: 'changeChat' });
  const resumed = client.operations.resumeAll();
  await vi.runAllTimersAsync();
  expect(await resumed).toMatchObject([{ state: 'applied', replayed: true }]);
});

test('the mock timers of node:test', async () => {
  nodeMock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const { client } = open();
  let isDone = false;
  const call = client.tags.create(vip).finally(() => {
    isDone = true;
  });
  for (let turns = 0; !isDone && turns < 1_000; turns++) {
    await new Promise(setImmediate);
    nodeMock.timers.tick(100);
  }
  expect(await call).toMatchObject({ applied: true });
  nodeMock.timers.reset();
});
