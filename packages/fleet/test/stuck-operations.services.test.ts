import { createMock, type Mock } from '@orgchat/mock-server';
import { createClient, type Journal, type OrgChatClient } from '@orgchat/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, postgresJournal } from '../src/postgres.ts';
import { redisJournal } from '../src/redis.ts';
import { startPostgres } from '../test-support/engines/postgres-server.ts';
import { startRedis } from '../test-support/engines/redis-server.ts';

/* An operation that never gets an outcome, and many workers that ask about it. */

interface Store {
  open(): Journal;
  /** Makes the next attempt of every operation due. */
  passTime(): Promise<unknown>;
  stop(): Promise<unknown>;
}

const stores = {
  async Postgres(): Promise<Store> {
    const server = await startPostgres();
    const admin = server.pool();
    await migrate(admin);
    return {
      open: () => postgresJournal(server.pool({ max: 2 })),
      passTime: () =>
        admin.query("UPDATE orgchat.journal SET next_attempt_at = next_attempt_at - interval '1 hour'"),
      stop: server.stop,
    };
  },
  async Redis(): Promise<Store> {
    const server = await startRedis();
    const admin = server.ioredis();
    return {
      open: () => redisJournal(server.ioredis(), { onWarning: () => undefined }),
      async passTime() {
        for (const name of await admin.keys('{orgchat}:journal:*:entry:*'))
          await admin.hincrby(name, 'next', -3_600_000);
      },
      stop: server.stop,
    };
  },
};

describe.each(Object.entries(stores))('in %s', (_, start) => {
  let store: Store;
  const mock: Mock = createMock({ rateLimit: 'off' });
  beforeAll(async () => {
    store = await start();
  });
  afterAll(() => store.stop());

  const connect = (): OrgChatClient =>
    createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, pacing: false, retry: false },
      journal: store.open(),
    });
  const countSent = (): number =>
    mock.requests.list().filter(({ operation }) => operation === 'changeChat').length;

  test('20 workers send it once when it is due, and not before', async () => {
    mock.faults.arm({ effect: 'uncertain' });
    const workers = Array.from({ length: 20 }, connect);
    const [first] = workers as [OrgChatClient];
    const failed = first.tags.create({ name: 'Stuck', color: 'pink' });
    await expect(failed).rejects.toMatchObject({ outcome: 'unknown' });
    // Each of these doubles the wait.
    for (let n = 0; n < 8; n++) await first.operations.resumeAll({ now: true });
    const [open] = await first.operations.list({ open: true });
    expect(open?.nextAttempt?.repeats).toBe(8);
    for (let round = 1; round <= 3; round++) {
      const before = countSent();
      await Promise.all(workers.map((worker) => worker.operations.resumeAll()));
      expect(countSent()).toBe(before);
      await store.passTime();
      await Promise.all(workers.map((worker) => worker.operations.resumeAll()));
      expect(countSent()).toBe(before + 1);
    }
    const [{ retryAt } = {}] = await first.operations.resumeAll();
    // 2 ** 10 s is more than five minutes.
    expect(Number(retryAt) - Date.now()).toBeGreaterThan(200_000);
    expect(Number(retryAt) - Date.now()).toBeLessThanOrEqual(301_000);
  });
});
