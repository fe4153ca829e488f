import { createMock, type Listening, type Mock } from '@orgchat/mock-server';
import { createClient, type OrgChatClient } from '@orgchat/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { redisJournal } from '../../src/redis.ts';
import { type FaultyNetwork, startFaultyNetwork } from '../../test-support/faulty-network.ts';
import { type RedisServer, startRedis } from '../../test-support/redis-server.ts';
import { startWorker, type Worker } from '../../test-support/start-worker.ts';

/* Workers in processes of their own share a journal: they are killed and stopped, and so are the engine and the network. */

let server: RedisServer;
let network: FaultyNetwork;
let mock: Mock;
let http: Listening;
const workers: Worker[] = [];

beforeAll(async () => {
  server = await startRedis();
  network = await startFaultyNetwork(server.port);
});
afterAll(async () => {
  await network.close();
  await server.stop();
});
beforeEach(async () => {
  mock = createMock({ rateLimit: 'off' });
  http = await mock.listen({ port: 0 });
});
afterEach(async () => {
  for (const worker of workers.splice(0)) {
    worker.signal('SIGCONT');
    worker.signal('SIGKILL');
    await worker.ended;
  }
  await http.close();
});

function start(options: Partial<Parameters<typeof startWorker>[0]>): Worker {
  const driver = workers.length % 2 === 0 ? 'ioredis' : 'node-redis';
  const worker = startWorker({
    ...{ port: server.port, baseUrl: http.baseUrl, from: 0, to: 1, driver },
    ...options,
  });
  workers.push(worker);
  return worker;
}

const connect = (): OrgChatClient =>
  createClient({
    apiKey: 'demo-write-key',
    baseUrl: http.baseUrl,
    pacing: false,
    journal: redisJournal(server.ioredis()),
  });

/** The names of the tags that workers made, in order. */
async function made(): Promise<string[]> {
  const client = createClient({
    apiKey: 'demo-write-key',
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    pacing: false,
  });
  const names = (await client.tags.list().toArray()).map(({ name }) => name);
  return names
    .filter((name) => name.startsWith('Order '))
    .sort((one, other) => Number(one.slice(6)) - Number(other.slice(6)));
}

const ordersUpTo = (count: number): string[] => Array.from({ length: count }, (_, n) => `Order ${n}`);

describe('operations of a process', () => {
  test('that was killed or stopped are free after five seconds, and it changes nothing when it continues', async () => {
    mock.faults.arm({ effect: 'delay', delayMs: 60_000, applied: true, times: 2 });
    const killed = start({});
    const stopped = start({ from: 1, to: 2, timeoutMs: 1_500 });
    await expect.poll(() => mock.requests.list().length, { timeout: 20_000 }).toBe(2);
    stopped.signal('SIGSTOP');
    const client = connect();
    const resumed = client.operations.resumeAll({ wait: true });
    killed.signal('SIGKILL');
    const killedAt = performance.now();
    expect((await resumed).map(({ state }) => state)).toEqual(['applied', 'applied']);
    expect(performance.now() - killedAt).toBeLessThan(10_000);
    stopped.signal('SIGCONT');
    await stopped.ended;
    expect(stopped.lines).toContain(
      'journal The outcome was not recorded: another process has the operation.',
    );
    expect((await client.operations.list()).map(({ state }) => state)).toEqual(['applied', 'applied']);
    expect(await made()).toEqual(ordersUpTo(2));
  });

  test('that are alive and slow are left alone, whatever their clocks say', async () => {
    mock.faults.arm({ effect: 'delay', delayMs: 6_500, applied: true, times: 2 });
    const pair = [-600_000, 600_000].map((clockOffsetMs, n) =>
      start({ clockOffsetMs, isRepeatable: false, from: n, to: n + 1 }),
    );
    await expect.poll(() => mock.requests.list().length, { timeout: 20_000 }).toBe(2);
    // Longer than a process counts as alive without a heartbeat.
    await new Promise((resolve) => setTimeout(resolve, 5_500));
    for (const { state, retryAt } of await connect().operations.resumeAll()) {
      expect(state).toBe('pending');
      const inMs = Number(retryAt) - Date.now();
      expect(inMs).toBeGreaterThan(48_000);
      expect(inMs).toBeLessThan(65_001);
    }
    await Promise.all(pair.map(({ ended }) => ended));
    expect(pair.flatMap(({ lines }) => lines)).toEqual(expect.arrayContaining(['applied 0', 'applied 1']));
  });
});

test('after five seconds out of reach a hold counts as lost, and settles only by its token', async () => {
  const entry = (operationId: string) => ({
    ...({ kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 } as const),
    ...{ format: 2 as const, target: 'out-of-reach', operationId, token: operationId },
    ...{ createdAt: '2026', updatedAt: '2026', deadline: new Date(Date.now() + 3_600_000).toISOString() },
  });
  const [taken, kept, later] = [entry('taken'), entry('kept'), entry('later')];
  const first = redisJournal(server.ioredis({ port: network.port }));
  const second = redisJournal(server.ioredis());
  await first.add(taken);
  await first.add(kept);
  const hold = { token: 'other', deadline: taken.deadline };
  expect((await second.claim(taken, hold))?.entry).toBeUndefined();
  const heal = network.cut();
  try {
    const claim = async () => (await second.claim(taken, hold))?.entry?.token;
    await expect.poll(claim, { timeout: 10_000, interval: 200 }).toBe('other');
  } finally {
    heal();
  }
  expect(await first.settle({ ...taken, state: 'refused' })).toBe(false);
  expect(await first.settle({ ...kept, state: 'applied' })).toBe(true);
  await first.add(later);
  expect((await second.claim(later, hold))?.entry).toBeUndefined();
});

test('workers, engine and network that die lose nothing and double nothing', async () => {
  const count = 40;
  const startAgain = (to: number) => start({ port: network.port, from: 0, to, timeoutMs: 20_000 });
  mock.faults.arm({ effect: 'lose-response', times: 10, probability: 0.1 });
  for (let round = 0; round < 2; round++) {
    const pair = [startAgain(count), startAgain(count)];
    await expect.poll(() => pair.some(({ lines }) => lines.length > 8), { timeout: 30_000 }).toBe(true);
    network.breakAll();
    network.loseReply();
    if (round === 1) {
      await server.kill('SIGKILL');
      await server.start();
    }
    pair[0]?.signal('SIGKILL');
    if (round < 1) pair[1]?.signal('SIGKILL');
    await Promise.all(pair.map(({ ended }) => ended));
  }
  const client = connect();
  await client.operations.resumeAll({ wait: true });
  const last = startAgain(count);
  await last.ended;
  // A process that died while it repeated an applied change counts as alive for five seconds, and has it until then.
  const held = last.lines.filter((line) => line.endsWith(' OPERATION_IN_FLIGHT'));
  const applied = JSON.stringify(await client.operations.list({ state: 'applied' }));
  for (const line of held) expect(applied).toContain(`"Order ${line.split(' ')[1]}"`);
  const done = last.lines.filter((line) => line.startsWith('applied'));
  expect([...done, ...held]).toHaveLength(count);
  const countApplied = async (): Promise<number> => {
    const again = startAgain(count);
    await again.ended;
    return again.lines.filter((line) => line.startsWith('applied')).length;
  };
  await expect.poll(countApplied, { timeout: 30_000 }).toBe(count);
  expect(await made()).toEqual(ordersUpTo(count));
  expect(await client.operations.list({ open: true })).toEqual([]);
});

test('changes without an intent are applied at most once, and everything that was reported is there', async () => {
  const worker = start({ port: network.port, to: 30, isRepeatable: false, timeoutMs: 20_000 });
  for (const lines of [4, 10, 16]) {
    await expect.poll(() => worker.lines.length, { timeout: 30_000 }).toBeGreaterThan(lines);
    network.loseReply();
    network.breakAll();
  }
  await expect.poll(() => worker.lines.length, { timeout: 30_000 }).toBeGreaterThan(20);
  worker.signal('SIGKILL');
  await worker.ended;
  await connect().operations.resumeAll({ wait: true });
  const names = await made();
  expect(new Set(names).size).toBe(names.length);
  const reported = worker.lines
    .filter((line) => line.startsWith('applied'))
    .map((line) => `Order ${line.slice(8)}`);
  expect(names).toEqual(expect.arrayContaining(reported));
});
