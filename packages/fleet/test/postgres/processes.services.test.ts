import { createMock, type Listening, type Mock } from '@orgchat/mock-server';
import { createClient, type OrgChatClient } from '@orgchat/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate, postgresJournal } from '../../src/postgres.ts';
import { type FaultyNetwork, startFaultyNetwork } from '../../test-support/faulty-network.ts';
import { type PostgresServer, startPostgres } from '../../test-support/postgres-server.ts';
import { startWorker, type Worker } from '../../test-support/start-worker.ts';

/* Workers in processes of their own share a journal: they are killed and stopped, and so are the engine and the network. */

let server: PostgresServer;
let network: FaultyNetwork;
let mock: Mock;
let http: Listening;
const workers: Worker[] = [];

beforeAll(async () => {
  server = await startPostgres();
  network = await startFaultyNetwork(server.port);
  await migrate(server.pool({ max: 1 }));
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
  const worker = startWorker({ port: server.port, baseUrl: http.baseUrl, from: 0, to: 1, ...options });
  workers.push(worker);
  return worker;
}

const connect = (): OrgChatClient =>
  createClient({
    apiKey: 'demo-write-key',
    baseUrl: http.baseUrl,
    pacing: false,
    journal: postgresJournal(server.pool({ max: 4 })),
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
  test('that was killed are free at once, not at their deadline', async () => {
    mock.faults.arm({ effect: 'delay', delayMs: 60_000, applied: true });
    const worker = start({});
    await expect.poll(() => mock.requests.list().length, { timeout: 20_000 }).toBe(1);
    const client = connect();
    expect(await client.operations.resumeAll()).toMatchObject([{ state: 'pending' }]);
    const resumed = client.operations.resumeAll({ wait: true });
    worker.signal('SIGKILL');
    const killedAt = performance.now();
    expect(await resumed).toMatchObject([{ state: 'applied', replayed: true }]);
    expect(performance.now() - killedAt).toBeLessThan(5_000);
    expect(await made()).toEqual(ordersUpTo(1));
  });

  test('that is alive and slow are left alone, whatever its clock says', async () => {
    for (const clockOffsetMs of [-600_000, 600_000]) {
      mock.reset();
      mock.faults.arm({ effect: 'delay', delayMs: 4_000, applied: true });
      const worker = start({ clockOffsetMs, isRepeatable: false });
      await expect.poll(() => mock.requests.list().length, { timeout: 20_000 }).toBe(1);
      const [{ state, retryAt } = {}] = await connect().operations.resumeAll();
      expect(state).toBe('pending');
      const inMs = Number(retryAt) - Date.now();
      expect(inMs).toBeGreaterThan(55_000);
      expect(inMs).toBeLessThan(65_001);
      await worker.ended;
      expect(worker.lines).toContain('applied 0');
    }
  });

  test('that was stopped past its lease are taken over, and it changes nothing when it continues', async () => {
    mock.faults.arm({ effect: 'delay', delayMs: 60_000, applied: true });
    const worker = start({ timeoutMs: 1_500 });
    await expect.poll(() => mock.requests.list().length, { timeout: 20_000 }).toBe(1);
    worker.signal('SIGSTOP');
    const client = connect();
    expect(await client.operations.resumeAll({ wait: true })).toMatchObject([{ state: 'applied' }]);
    worker.signal('SIGCONT');
    await worker.ended;
    expect(worker.lines).toContain(
      'journal The outcome was not recorded: another process has the operation.',
    );
    expect((await client.operations.list()).map(({ state }) => state)).toContain('applied');
    expect(await client.operations.list({ open: true })).toEqual([]);
    expect(await made()).toEqual(ordersUpTo(1));
  });
});

test('after a restart of the engine every hold counts as lost, and settles only by its token', async () => {
  const [first, second] = [0, 1].map(() => postgresJournal(server.pool({ max: 2 })));
  if (!first || !second) throw new Error('two journals');
  const entry = (n: number) => ({
    ...({
      format: 2,
      kind: 'change',
      path: '/chat/changes',
      body: '{}',
      state: 'pending',
      attempts: 0,
    } as const),
    ...{ operationId: `00000000-0000-4000-8000-00000000000${n}`, target: 'restart', token: `t${n}` },
    ...{ createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() },
    deadline: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const [taken, kept, later] = [entry(1), entry(2), entry(3)];
  await first.add(taken);
  await first.add(kept);
  const hold = { token: 'other', deadline: taken.deadline };
  expect((await second.claim(taken, hold))?.entry).toBeUndefined();
  await server.kill('SIGKILL');
  // A call that is made while the engine is down waits for it.
  const early = second.claim(taken, hold);
  await server.start();
  expect((await early)?.entry?.token).toBe('other');
  expect(await first.settle({ ...taken, state: 'refused' })).toBe(false);
  expect(await first.settle({ ...kept, state: 'applied' })).toBe(true);
  // The session lock was made again, so new holds are safe.
  await first.add(later);
  expect((await second.claim(later, hold))?.entry).toBeUndefined();
});

test('workers, engine and network that die lose nothing and double nothing', {
  timeout: 240_000,
}, async () => {
  const count = 120;
  const startAgain = (to: number) => start({ port: network.port, from: 0, to, timeoutMs: 20_000 });
  mock.faults.arm({ effect: 'lose-response', times: 10, probability: 0.1 });
  for (let round = 0; round < 4; round++) {
    const pair = [startAgain(count), startAgain(count)];
    await expect.poll(() => pair.some(({ lines }) => lines.length > 10), { timeout: 30_000 }).toBe(true);
    network.breakAll();
    network.loseReply();
    if (round === 1) {
      await server.kill('SIGKILL');
      await server.start();
    }
    pair[0]?.signal('SIGKILL');
    if (round < 3) pair[1]?.signal('SIGKILL');
    await Promise.all(pair.map(({ ended }) => ended));
  }
  const client = connect();
  await client.operations.resumeAll({ wait: true });
  const last = startAgain(count);
  await last.ended;
  expect(last.lines.filter((line) => line.startsWith('failed'))).toEqual([]);
  expect(last.lines.filter((line) => line.startsWith('applied'))).toHaveLength(count);
  expect(await made()).toEqual(ordersUpTo(count));
  expect(await client.operations.list({ open: true })).toEqual([]);
});

test('changes without an intent are applied at most once, and everything that was reported is there', async () => {
  const worker = start({ port: network.port, to: 60, isRepeatable: false, timeoutMs: 20_000 });
  for (const lines of [10, 20, 30]) {
    await expect.poll(() => worker.lines.length, { timeout: 30_000 }).toBeGreaterThan(lines);
    network.loseReply();
    network.breakAll();
  }
  await expect.poll(() => worker.lines.length, { timeout: 30_000 }).toBeGreaterThan(40);
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
