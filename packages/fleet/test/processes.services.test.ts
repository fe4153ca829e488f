import { setTimeout as sleep } from 'node:timers/promises';
import { createMock, type Listening, type Mock, type MockOptions } from '@orgchat/mock-server';
import { createClient, type JournalEntry, type OrgChatClient } from '@orgchat/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Engine, type EngineName, engineNames, engines } from '../test-support/engines/engines.ts';
import { type FaultyNetwork, startFaultyNetwork } from '../test-support/faulty-network.ts';
import { startWorker, type Worker } from '../test-support/programs/start-worker.ts';
import type { WorkerOptions } from '../test-support/programs/worker.ts';

/* Workers in processes of their own share a journal: they are killed and stopped, and so are the engine and the network. */

/** In what the engines differ. */
interface Traits {
  /** By turns. */
  readonly drivers: readonly NonNullable<WorkerOptions['driver']>[];
  /** How many orders the workers have at once, and how often they are killed. */
  readonly orders: number;
  readonly rounds: number;
  /** After how many lines of a worker the network breaks, the last time with the worker. */
  readonly breaks: readonly number[];
  /** What makes every hold count as lost. */
  readonly loss: 'a restart of the engine' | 'five seconds out of reach';
}

const traits: Readonly<Record<EngineName, Traits>> = {
  Postgres: {
    ...{ drivers: ['pg'], loss: 'a restart of the engine' },
    ...{ orders: 60, rounds: 3, breaks: [8, 16, 24] },
  },
  // A heartbeat shows that a process is alive, and not a session.
  Redis: {
    ...{ drivers: ['ioredis', 'node-redis'], loss: 'five seconds out of reach' },
    ...{ orders: 30, rounds: 2, breaks: [4, 10, 16] },
  },
};

describe.each(engineNames)('in %s', (name) => {
  const { drivers, orders, rounds, breaks, loss } = traits[name];
  let engine: Engine;
  let network: FaultyNetwork;
  let mock: Mock;
  let http: Listening;
  const workers: Worker[] = [];
  /** Ends the delays of the mock; each lasts until then. */
  let sendAnswers: () => void;

  beforeAll(async () => {
    engine = await engines[name]();
    network = await startFaultyNetwork(engine.port);
  });
  afterAll(async () => {
    await network.close();
    await engine.stop();
  });
  beforeEach(async () => {
    const answers = new Promise<void>((resolve) => {
      sendAnswers = resolve;
    });
    const delay: NonNullable<MockOptions['sleep']> = (_, signal) =>
      Promise.race([answers, new Promise<void>((end) => signal?.addEventListener('abort', () => end()))]);
    mock = createMock({ rateLimit: 'off', sleep: delay });
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

  function start(options: Partial<WorkerOptions>): Worker {
    const driver = drivers[workers.length % drivers.length];
    const given = { port: engine.port, baseUrl: http.baseUrl, from: 0, to: 1, ...(driver && { driver }) };
    const worker = startWorker({ ...given, ...options });
    workers.push(worker);
    return worker;
  }

  const connect = (): OrgChatClient =>
    createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: http.baseUrl, pacing: false },
      journal: engine.open().journal,
    });

  /** The names of the tags that workers made, in order. */
  async function made(): Promise<string[]> {
    const client = createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, pacing: false },
    });
    const names = (await client.tags.list().toArray()).map((tag) => tag.name);
    return names
      .filter((tag) => tag.startsWith('Order '))
      .sort((one, other) => Number(one.slice(6)) - Number(other.slice(6)));
  }

  const ordersUpTo = (count: number): string[] => Array.from({ length: count }, (_, n) => `Order ${n}`);
  const applied = ({ lines }: Worker): string[] => lines.filter((line) => line.startsWith('applied'));
  const untilSent = (count: number): Promise<void> =>
    expect.poll(() => mock.requests.list().length, { timeout: 60_000, interval: 20 }).toBe(count);

  describe('operations of a process', () => {
    test('that was killed are free at once or after its last heartbeat, not at their deadline', async () => {
      mock.faults.arm({ effect: 'delay', delayMs: 60_000, applied: true });
      const worker = start({});
      await untilSent(1);
      const client = connect();
      expect(await client.operations.resumeAll()).toMatchObject([{ state: 'pending' }]);
      const resumed = client.operations.resumeAll({ wait: true });
      worker.signal('SIGKILL');
      const killedAt = performance.now();
      expect(await resumed).toMatchObject([{ state: 'applied', replayed: true }]);
      expect(performance.now() - killedAt).toBeLessThan(30_000);
      expect(await made()).toEqual(ordersUpTo(1));
    });

    test('that is alive and slow are left alone, whatever its clock says', async () => {
      mock.faults.arm({ effect: 'delay', delayMs: 60_000, applied: true, times: 2 });
      const pair = [-600_000, 600_000].map((clockOffsetMs, n) =>
        start({ clockOffsetMs, isRepeatable: false, from: n, to: n + 1 }),
      );
      await untilSent(2);
      // Longer than a process counts as alive without a heartbeat.
      await sleep(5_500);
      const left = await connect().operations.resumeAll();
      expect(left).toHaveLength(2);
      for (const { state, retryAt } of left) {
        expect(state).toBe('pending');
        const inMs = Number(retryAt) - Date.now();
        expect(inMs).toBeGreaterThan(0);
        expect(inMs).toBeLessThan(65_001);
      }
      sendAnswers();
      await Promise.all(pair.map(({ ended }) => ended));
      expect(pair.flatMap(applied).sort()).toEqual(['applied 0', 'applied 1']);
    });

    test('that was stopped past its lease are taken over, and it changes nothing when it continues', async () => {
      mock.faults.arm({ effect: 'delay', delayMs: 60_000, applied: true });
      const worker = start({ timeoutMs: 5_000 });
      await untilSent(1);
      worker.signal('SIGSTOP');
      const client = connect();
      expect(await client.operations.resumeAll({ wait: true })).toMatchObject([{ state: 'applied' }]);
      worker.signal('SIGCONT');
      await worker.ended;
      expect(worker.lines).toContain(
        'journal The outcome was not recorded: another process has the operation.',
      );
      expect((await client.operations.list()).map(({ state }) => state)).toEqual(['applied']);
      expect(await made()).toEqual(ordersUpTo(1));
    });
  });

  test(`after ${loss} the holds of a process that is away are lost, and settle only by their token`, async () => {
    const entry = (operationId: string): JournalEntry => ({
      ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
      ...{ target: 'lost', operationId, token: operationId, createdAt: '2026', updatedAt: '2026' },
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const [taken, kept, later] = [entry('taken'), entry('kept'), entry('later')];
    const first = engine.open({ port: network.port }).journal;
    const second = engine.open().journal;
    await first.add(taken);
    await first.add(kept);
    const hold = { token: 'other', deadline: taken.deadline };
    const claim = async () => (await second.claim(taken, hold))?.entry?.token;
    expect(await claim()).toBeUndefined();
    // A process that is there takes its lock again.
    const heal = network.cut();
    try {
      if (loss === 'a restart of the engine') {
        await engine.kill('SIGKILL');
        // A call that is made while the engine is down waits for it.
        const early = claim();
        await engine.start();
        expect(await early).toBe('other');
      } else {
        await expect.poll(claim, { timeout: 60_000, interval: 200 }).toBe('other');
      }
    } finally {
      heal();
    }
    expect(await first.settle({ ...taken, state: 'refused' })).toBe(false);
    expect(await first.settle({ ...kept, state: 'applied' })).toBe(true);
    // The process shows again that it is alive, so new holds are safe.
    await first.add(later);
    expect((await second.claim(later, hold))?.entry).toBeUndefined();
  });

  test('workers, engine and network that die lose nothing and double nothing', {
    timeout: 240_000,
  }, async () => {
    const startAll = () => start({ port: network.port, from: 0, to: orders, timeoutMs: 20_000 });
    mock.faults.arm({ effect: 'lose-response', times: 10, probability: 0.1 });
    for (let round = 0; round < rounds; round++) {
      const pair = [startAll(), startAll()];
      await expect.poll(() => pair.some(({ lines }) => lines.length > 8), { timeout: 60_000 }).toBe(true);
      network.breakAll();
      network.loseReply();
      if (round === 1) {
        await engine.kill('SIGKILL');
        await engine.start();
      }
      pair[0]?.signal('SIGKILL');
      if (round < rounds - 1) pair[1]?.signal('SIGKILL');
      await Promise.all(pair.map(({ ended }) => ended));
    }
    const client = connect();
    await client.operations.resumeAll({ wait: true });
    const last = startAll();
    await last.ended;
    // With Redis, a process that died while it repeated an applied change counts as alive for five seconds, and has it.
    const held = last.lines.filter((line) => line.endsWith(' OPERATION_IN_FLIGHT'));
    if (name === 'Postgres') expect(held).toEqual([]);
    const known = JSON.stringify(await client.operations.list({ state: 'applied' }));
    for (const line of held) expect(known).toContain(`"Order ${line.split(' ')[1]}"`);
    expect([...applied(last), ...held]).toHaveLength(orders);
    const countApplied = async (): Promise<number> => {
      const again = startAll();
      await again.ended;
      return applied(again).length;
    };
    await expect.poll(countApplied, { timeout: 60_000 }).toBe(orders);
    expect(await made()).toEqual(ordersUpTo(orders));
    expect(await client.operations.list({ open: true })).toEqual([]);
  });

  test('changes without an intent are applied at most once, and everything that was reported is there', async () => {
    const end = breaks.at(-1) ?? 0;
    const worker = start({ port: network.port, to: end * 1.5, isRepeatable: false, timeoutMs: 20_000 });
    for (const lines of breaks.slice(0, -1)) {
      await expect.poll(() => worker.lines.length, { timeout: 60_000 }).toBeGreaterThan(lines);
      network.loseReply();
      network.breakAll();
    }
    await expect.poll(() => worker.lines.length, { timeout: 60_000 }).toBeGreaterThan(end);
    worker.signal('SIGKILL');
    await worker.ended;
    await connect().operations.resumeAll({ wait: true });
    const names = await made();
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(applied(worker).map((line) => `Order ${line.slice(8)}`)));
  });
});
