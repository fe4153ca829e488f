import { createMock, type FaultInput, type Listening, type Mock } from '@orgchat/mock-server';
import { type ChatChange, createClient, type OrgChatClient } from '@orgchat/sdk';
import { type Job, Queue, Worker } from 'bullmq';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createProcessor, enqueue } from '../src/bullmq.ts';
import { migrate, outbox, postgresJournal } from '../src/postgres.ts';
import { redisJournal } from '../src/redis.ts';
import { type PostgresServer, startPostgres } from '../test-support/engines/postgres-server.ts';
import { type RedisServer, startRedis } from '../test-support/engines/redis-server.ts';
import { inTransaction } from '../test-support/in-transaction.ts';
import { organization } from '../test-support/organization.ts';

/*
 * The service is down for a while, with the codes of the decisions and with codes that nobody knows: what was committed or
 * enqueued in the meantime is applied in the end, once. Nothing is lost to an answer that says nothing about the work.
 */

let postgres: PostgresServer;
let pool: pg.Pool;
let redis: RedisServer;
let mock: Mock;
let http: Listening;
let queue: Queue;
let name: string;
let boxCount = 0;
const workers: Worker[] = [];

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  pool = postgres.pool({ max: 20 });
  await migrate(pool);
});
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));
beforeEach(async () => {
  mock = createMock({ rateLimit: 'off' });
  http = await mock.listen({ port: 0 });
  name = `box-${++boxCount}`;
  await redis.ioredis().flushall();
  queue = new Queue('orgchat', { connection: { port: redis.port } });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(workers.splice(0).map((worker) => worker.close(true)));
  await queue.close();
  await http.close();
});

const connect = (journal = postgresJournal(pool)): OrgChatClient =>
  createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: http.baseUrl, pacing: false, retry: false, journal },
  });
const create = (tag: string): ChatChange => ({ action: 'create-tags', data: { name: tag, color: 'pink' } });
const openBox = () => outbox(pool, { organization, name });

const commit = (change: ChatChange) => inTransaction(pool, (tx) => openBox().add(tx, change));

function startWorker(): void {
  const client = connect(redisJournal(redis.ioredis()));
  const worker = new Worker('orgchat', createProcessor(client, { queue }), {
    ...{ connection: { port: redis.port }, concurrency: 4, drainDelay: 1 },
  });
  worker.on('error', () => undefined);
  workers.push(worker);
}

const patient = { attempts: 200, backoff: { type: 'fixed', delay: 100 } };
const enqueueTag = (tag: string): Promise<{ job: Job }> =>
  enqueue(queue, create(tag), { organization, job: patient });

/** The names of the tags that begin with a prefix, in order, each as often as it is there. */
const listTags = (prefix: string): string[] =>
  mock
    .records({ resource: 'tags', limit: 1_000 })
    .records.map((record) => String((record as { readonly name?: unknown }).name))
    .filter((tag) => tag.startsWith(prefix))
    .sort();

const writes = () => mock.requests.list().filter(({ operation }) => operation !== 'getAccount');
const tagsOf = (prefix: string) => Array.from({ length: 5 }, (_, n) => `${prefix} ${n}`);

const respond = (fault: Partial<FaultInput>) => () => {
  const always = { effect: 'respond', undeclared: true, times: 1_000_000 } as const;
  for (const operation of fault.operation ? [fault.operation] : (['changeChat', 'addSeoKeywords'] as const))
    mock.faults.arm({ ...always, ...fault, operation } as FaultInput);
  return () => void mock.faults.disarm();
};

describe('after an outage everything is applied once:', () => {
  test.each<[string, () => () => void]>([
    [
      'the runtime is down',
      () => {
        mock.patchOrganization({ runtime: 'down' });
        return () => void mock.patchOrganization({ runtime: 'up' });
      },
    ],
    ['404 for the runtime', respond({ status: 404, error: 'RUNTIME_UNAVAILABLE' })],
    ['404 with a code that nobody knows', respond({ status: 404, error: 'BACKEND_GONE' })],
    ['409 with a code that nobody knows', respond({ status: 409, error: 'BUSY' })],
    ['400 with a code that nobody knows', respond({ status: 400, error: 'MAINTENANCE' })],
    ['413 of a gateway', respond({ status: 413, error: 'TOO_LARGE' })],
    ['503', respond({ status: 503, error: 'OVERLOADED' })],
  ])('%s', async (_what, breakService) => {
    const heal = breakService();
    const box = openBox();
    for (const tag of tagsOf('Box')) await commit(create(tag));
    for (const tag of tagsOf('Job')) await enqueueTag(tag);
    const relay = new AbortController();
    const run = box.run(connect(), { signal: relay.signal });
    startWorker();
    // Each was tried, and nothing has ended.
    const tried = async () => (await box.list()).filter(({ error }) => error !== undefined).length;
    await expect.poll(tried).toBe(5);
    await expect.poll(() => writes().length).toBeGreaterThan(15);
    expect((await box.list()).map(({ state }) => state)).toEqual(Array(5).fill('open'));
    expect(await queue.getFailedCount()).toBe(0);
    expect([...listTags('Box'), ...listTags('Job')]).toEqual([]);

    heal();
    await expect.poll(() => queue.getCompletedCount()).toBe(5);
    await expect.poll(() => box.list()).toEqual([]);
    relay.abort();
    await run;
    expect(listTags('Box')).toEqual(tagsOf('Box'));
    expect(listTags('Job')).toEqual(tagsOf('Job'));
  });

  test('keywords after a 404 with a code that nobody knows', async () => {
    const heal = respond({ status: 404, error: 'BACKEND_GONE' })();
    const work = { siteId: 'demo-site', keywords: ['after the outage'] };
    const { job } = await enqueue(queue, work, { organization, job: patient });
    startWorker();
    await expect.poll(() => writes().length).toBeGreaterThan(1);
    heal();
    await expect.poll(() => queue.getJobState(job.id ?? '')).toBe('completed');
    const added = mock.keywords('demo-site').filter(({ keyword }) => keyword === 'after the outage');
    expect(added).toHaveLength(1);
  });
});

describe('an address that is gone is not asked again, and nothing that waits is lost:', () => {
  const goneCases = [
    ['before the first request', 'getAccount'],
    ['between two requests', 'changeChat'],
  ] as const;
  const disappear = (operation: (typeof goneCases)[number][1]) =>
    respond({ operation, status: 410, error: 'SANDBOX_GONE' })();
  const says = /410 SANDBOX_GONE.*The address of the API is gone\./;

  test.each(goneCases)('%s of a relay', async (_when, operation) => {
    const box = openBox();
    const appear = disappear(operation);
    await commit(create('Gone 1'));
    const client = connect();
    for (const call of [() => box.run(client), () => box.drain(client)])
      await expect(call()).rejects.toMatchObject({
        code: 'ADDRESS_GONE',
        message: expect.stringMatching(says),
      });
    expect(await box.list()).toMatchObject([{ state: 'open' }]);
    appear();
    expect(await box.drain(connect())).toEqual({ applied: 1, left: [] });
    expect(listTags('Gone')).toEqual(['Gone 1']);
  });

  test.each(goneCases)('%s of a worker', async (_when, operation) => {
    const appear = disappear(operation);
    const { job } = await enqueueTag('Gone 2');
    startWorker();
    await expect.poll(() => queue.getJobState(job.id ?? '')).toBe('failed');
    const failed: Job | undefined = await queue.getJob(job.id ?? '');
    expect(failed?.failedReason).toMatch(says);
    expect(failed?.failedReason).toContain('retry this job');
    expect(writes().length).toBeLessThanOrEqual(1);
    appear();
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await failed?.retry();
    startWorker();
    await expect.poll(() => queue.getJobState(job.id ?? '')).toBe('completed');
    expect(listTags('Gone')).toEqual(['Gone 2']);
  });
});

describe('a record that does not exist ends its work at once:', () => {
  const missing = {
    ...{ action: 'delete-tags', id: crypto.randomUUID(), expectedRevision: 'a'.repeat(64) },
  } as never;

  test('in the outbox', async () => {
    await commit(missing);
    expect((await openBox().drain(connect())).left).toMatchObject([{ state: 'refused', attempts: 1 }]);
  });

  test('in the queue', async () => {
    const { job } = await enqueue(queue, missing, { organization, job: patient });
    startWorker();
    await expect.poll(() => queue.getJobState(job.id ?? '')).toBe('failed');
    expect(writes()).toHaveLength(1);
  });
});
