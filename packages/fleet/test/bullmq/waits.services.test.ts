import { setTimeout as sleep } from 'node:timers/promises';
import type { Listening, Mock } from '@orgchat/mock-server';
import type { OrgChatClient } from '@orgchat/sdk';
import { Queue, Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createProcessor, enqueue } from '../../src/bullmq.ts';
import { redisJournal, redisPacing } from '../../src/redis.ts';
import { type RedisServer, startRedis } from '../../test-support/engines/redis-server.ts';
import {
  connectTo,
  createTwoOrganizations,
  listTags,
  type OrganizationId,
  organizations,
} from '../../test-support/two-organizations.ts';

/* The key of one organization is refused, or its limit is reached: its jobs wait, and those of the other one do not. */

let server: RedisServer;
let mock: Mock;
let http: Listening;
let queue: Queue;
let warnings: string[];
const workers: Worker[] = [];

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(async () => {
  mock = createTwoOrganizations();
  http = await mock.listen({ port: 0 });
  await server.ioredis().flushall();
  queue = new Queue('orgchat', { connection: { port: server.port } });
  warnings = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((_text, options) => {
    warnings.push(String(Object(options).code));
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(workers.splice(0).map((worker) => worker.close(true)));
  await queue.close();
  await http.close();
});

/** Starts a worker whose clients wait as they do by default. */
function work(more: object = {}, signal?: AbortSignal): Worker {
  const connect = (id: OrganizationId): OrgChatClient =>
    connectTo(mock, id, { journal: redisJournal(server.ioredis()), retry: undefined, ...more });
  const clients = new Map<string, OrgChatClient>(organizations.map((id) => [id, connect(id)]));
  const processor = createProcessor((id) => clients.get(id), { queue, signal });
  const worker = new Worker('orgchat', processor, {
    ...{ connection: { port: server.port }, concurrency: 4, maxStalledCount: 10, drainDelay: 1 },
  });
  worker.on('error', () => undefined);
  workers.push(worker);
  return worker;
}

const toTag = (id: OrganizationId, order: number) =>
  ({ action: 'create-tags', data: { name: `${order} of ${id}`, color: 'pink' } }) as const;

const enqueueAll = (organization: OrganizationId, orders: number) =>
  Promise.all(
    Array.from({ length: orders }, (_, order) =>
      enqueue(queue, toTag(organization, order), { organization, intent: ['order', order] }),
    ),
  );

const countTags = (id: OrganizationId) => listTags(mock, id).length;
const refused = () => mock.requests.list().filter(({ status }) => status !== 200).length;
const respond = (status: number, error: string, retryAfter?: number) => () => {
  const fault = { effect: 'respond', key: 'key-org_a', operation: 'changeChat', times: 1_000_000 } as const;
  mock.faults.arm({ ...fault, status, error, ...(retryAfter && { retryAfter }) });
  return () => void mock.faults.disarm();
};

test.each<[string, string, () => () => void]>([
  [
    'a refused key',
    'KEY_REFUSED',
    () => {
      mock.patchKey('key-org_a', { revoked: true });
      return () => void mock.patchKey('key-org_a', { revoked: false });
    },
  ],
  ['a 429', 'RATE_LIMITED', respond(429, 'RATE_LIMITED', 3)],
  ['a used-up quota', 'QUOTA_EXCEEDED', respond(429, 'QUOTA_EXCEEDED', 3)],
])(
  '%s delays the jobs of its organization alone, uses up no attempt, and is reported once',
  async (_what, code, fail) => {
    work();
    // Both clients know their organization.
    await Promise.all(organizations.map((id) => enqueueAll(id, 1)));
    await expect.poll(() => countTags('org_a') + countTags('org_b')).toBe(2);
    const heal = fail();
    await enqueueAll('org_a', 60);
    await enqueueAll('org_b', 30);
    await expect.poll(() => countTags('org_b')).toBe(30);
    // The others were not even sent: at most those that were sent together, some times in a row.
    expect(refused()).toBeGreaterThan(0);
    expect(refused()).toBeLessThanOrEqual(20);
    expect(countTags('org_a')).toBe(1);
    expect(warnings).toEqual([`ORGCHAT_${code}`]);
    heal();
    await expect.poll(() => countTags('org_a')).toBe(60);
    await expect.poll(() => queue.getCompletedCount()).toBe(90);
    expect(await queue.getFailedCount()).toBe(0);
    const jobs = await queue.getCompleted();
    expect(jobs.map(({ attemptsMade }) => attemptsMade)).toEqual(Array(90).fill(1));
  },
);

test('jobs that wait in line go back to the queue when the worker stops, and are done by another one', async () => {
  const stop = new AbortController();
  const shared = redisPacing(server.ioredis());
  const pacing = { pacing: { perMinute: 3, shared } };
  const worker = work(pacing, stop.signal);
  await enqueueAll('org_a', 6);
  await expect.poll(() => countTags('org_a')).toBe(2);
  await expect.poll(async () => (await queue.getActive()).length).toBe(4);
  await sleep(200);
  const startedAt = performance.now();
  stop.abort();
  await worker.close();
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(await queue.getJobCounts('failed', 'active')).toEqual({ failed: 0, active: 0 });
  work();
  await expect.poll(() => countTags('org_a')).toBe(6);
  // A tag is applied a moment before its job is completed.
  await expect.poll(() => queue.getCompletedCount()).toBe(6);
  const jobs = await queue.getCompleted();
  expect(jobs.map(({ attemptsMade }) => attemptsMade)).toEqual(Array(6).fill(1));
});

test('jobs that are done have a bound, and those that failed stay', async () => {
  const one = await enqueue(queue, toTag('org_a', 1), { organization: 'org_a' });
  expect(one.job.opts).toMatchObject({
    ...{ removeOnComplete: { age: 604_800, count: 10_000 }, removeOnFail: false },
  });
  const own = { organization: 'org_a', job: { removeOnComplete: true } };
  expect((await enqueue(queue, toTag('org_a', 2), own)).job.opts.removeOnComplete).toBe(true);
});
