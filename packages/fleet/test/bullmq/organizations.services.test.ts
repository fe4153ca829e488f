import type { Listening, Mock } from '@orgchat/mock-server';
import type { OrgChatClient } from '@orgchat/sdk';
import { type Job, Queue, Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientLookup, createProcessor, enqueue } from '../../src/bullmq.ts';
import { redisJournal } from '../../src/redis.ts';
import { type RedisServer, startRedis } from '../../test-support/engines/redis-server.ts';
import { type Worker as Process, startBullmqWorker } from '../../test-support/programs/start-worker.ts';
import {
  connectTo,
  createTwoOrganizations,
  listTags,
  type OrganizationId,
  organizations,
} from '../../test-support/two-organizations.ts';

/* Two organizations have their jobs in one queue, with the same intents. Each job is done in its own organization. */

let server: RedisServer;
let mock: Mock;
let http: Listening;
let queue: Queue;
let warnings: unknown[][];
const workers: Worker[] = [];
const processes: Process[] = [];

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
  vi.spyOn(process, 'emitWarning').mockImplementation((...args: unknown[]) => void warnings.push(args));
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const { signal } of processes.splice(0)) signal('SIGKILL');
  await Promise.all(workers.splice(0).map((worker) => worker.close(true)));
  await queue.close();
  await http.close();
});

const connect = (organization: OrganizationId): OrgChatClient =>
  connectTo(mock, organization, { journal: redisJournal(server.ioredis()) });

/** A function that has the clients of these organizations, each once. */
function connectAll(ids: readonly OrganizationId[] = organizations): Map<string, OrgChatClient> {
  return new Map(ids.map((id) => [id, connect(id)]));
}

function work(clients: OrgChatClient | ClientLookup): void {
  const worker = new Worker('orgchat', createProcessor(clients, { queue }), {
    connection: { port: server.port },
    ...{ concurrency: 4, lockDuration: 10_000, stalledInterval: 500, maxStalledCount: 10, drainDelay: 1 },
  });
  worker.on('error', () => undefined);
  workers.push(worker);
}

/** Enqueues a tag and a keyword of each organization, under the same intents. */
async function enqueueBoth(order: number): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const organization of organizations) {
    const tag = {
      action: 'create-tags',
      data: { name: `${order} of ${organization}`, color: 'pink' },
    } as const;
    const keywords = { siteId: `site-${organization}`, keywords: [`${order} of ${organization}`] };
    jobs.push((await enqueue(queue, tag, { organization, intent: ['tag', order] })).job);
    jobs.push((await enqueue(queue, keywords, { organization, intent: ['keyword', order] })).job);
  }
  return jobs;
}

const counts = () => queue.getJobCounts('completed', 'failed', 'delayed', 'waiting', 'active');
const completed = async () => (await counts()).completed;

/** What each organization has, and what it should have after so many orders. */
const read = (id: OrganizationId) => ({
  tags: listTags(mock, id),
  keywords: mock
    .keywords(`site-${id}`, { organization: id })
    .map(({ keyword }) => keyword)
    .sort(),
});
function expected(id: OrganizationId, orders: number) {
  const names = Array.from({ length: orders }, (_, order) => `${order} of ${id}`).sort();
  return { tags: names, keywords: names };
}

const sent = () => mock.requests.list().filter(({ operation }) => operation !== 'getAccount');

test('the same intent is a job of each organization, and is done in its own', async () => {
  const jobs = await enqueueBoth(0);
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(4);
  expect((await enqueueBoth(0)).map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
  const [tagOfA, , tagOfB] = jobs;
  expect(tagOfA?.data.operationId).toBe(tagOfB?.data.operationId);
  const clients = connectAll();
  work((organization) => clients.get(organization));
  await expect.poll(completed).toBe(4);
  for (const id of organizations) expect(read(id)).toEqual(expected(id, 1));
  expect(mock.requests.list().filter(({ operation }) => operation === 'getAccount')).toHaveLength(2);
  expect(warnings).toEqual([]);
});

test.each(['org/a b', 'org:a:b:c', 'org.a', '17', '組織'])('an organization may be named %s', async (id) => {
  const tag = { action: 'create-tags', data: { name: 'VIP', color: 'pink' } } as const;
  const first = await enqueue(queue, tag, { organization: id, intent: [1] });
  const again = await enqueue(queue, tag, { organization: id, intent: [1] });
  expect(again.job.id).toBe(first.job.id);
  expect(await queue.count()).toBe(1);
});

describe('the jobs of an organization without a client wait, use up no attempt, and are reported once:', () => {
  const clientOfA = () => connectAll(['org_a']);
  test.each<[string, string, () => OrgChatClient | ClientLookup]>([
    [
      'a function that has none',
      'NO_CLIENT',
      () => {
        const clients = clientOfA();
        return (id) => clients.get(id);
      },
    ],
    [
      'a function that fails',
      'NO_CLIENT',
      () => {
        const clients = clientOfA();
        return async (id) => clients.get(id) ?? Promise.reject(new Error('The vault is sealed.'));
      },
    ],
    [
      'a function that returns the client of another organization',
      'KEY_OF_ANOTHER_ORGANIZATION',
      () => {
        const client = connect('org_a');
        return () => client;
      },
    ],
    ['the one client of another organization', 'KEY_OF_ANOTHER_ORGANIZATION', () => connect('org_a')],
  ])('%s', async (_what, code, createClients) => {
    await enqueueBoth(0);
    work(createClients());
    await expect.poll(counts).toMatchObject({ completed: 2, delayed: 2, failed: 0 });
    const waiting = await queue.getDelayed();
    // Each of them was tried again, and is not reported again.
    const starts = async () =>
      Promise.all(waiting.map(async ({ id = '' }) => (await queue.getJob(id))?.attemptsStarted ?? 0));
    await expect.poll(async () => Math.min(...(await starts()))).toBeGreaterThan(1);
    expect(read('org_a')).toEqual(expected('org_a', 1));
    expect(sent()).toHaveLength(2);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject([
      expect.stringContaining('organization "org_b"'),
      { code: `ORGCHAT_${code}` },
    ]);
    for (const { id = '', attemptsMade } of waiting) {
      expect(attemptsMade).toBe(0);
      expect((await queue.getJobLogs(id)).logs.join()).toContain('organization "org_b"');
    }
    // Two workers would take the job by chance, and the wrong one perhaps again and again.
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    work(connect('org_b'));
    await expect.poll(counts).toMatchObject({ completed: 4, delayed: 0, failed: 0 });
    for (const id of organizations) expect(read(id)).toEqual(expected(id, 1));
    expect(sent()).toHaveLength(4);
  });
});

test('while account() of an organization fails, its jobs wait, and those of others flow', async () => {
  mock.patchKey('key-org_b', { revoked: true });
  await enqueueBoth(0);
  const clients = connectAll();
  work((organization) => clients.get(organization));
  await expect.poll(counts).toMatchObject({ completed: 2, delayed: 2, failed: 0 });
  expect(sent()).toHaveLength(2);
  expect(warnings).toMatchObject([
    [expect.stringContaining('account() failed'), { code: 'ORGCHAT_ACCOUNT_FAILED' }],
  ]);
  mock.patchKey('key-org_b', { revoked: false });
  await expect.poll(completed).toBe(4);
  for (const id of organizations) expect(read(id)).toEqual(expected(id, 1));
  expect(sent()).toHaveLength(4);
});

test('a 429 of one organization does not stop the jobs of another', async () => {
  const key = 'key-org_b';
  mock.faults.arm({ effect: 'respond', status: 429, retryAfter: 6, operation: 'changeChat', key });
  await enqueueBoth(0);
  const clients = connectAll();
  work((organization) => clients.get(organization));
  await expect.poll(counts).toMatchObject({ completed: 3, delayed: 1 });
  await expect.poll(completed).toBe(4);
  for (const id of organizations) expect(read(id)).toEqual(expected(id, 1));
});

test('workers that are killed lose nothing, double nothing and mix nothing up', async () => {
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 10, probability: 0.3 });
  // One has both clients, the other only those of one organization.
  const start = () => [
    startBullmqWorker(server.port, http.baseUrl, 'org_a', 'org_b'),
    startBullmqWorker(server.port, http.baseUrl, 'org_a'),
  ];
  processes.push(...start());
  const orders = 20;
  const tag = (id: string, order: number) =>
    ({ action: 'create-tags', data: { name: `${order} of ${id}`, color: 'pink' } }) as const;
  for (let order = 0; order < orders; order++) {
    for (const organization of organizations)
      await enqueue(queue, tag(organization, order), { organization, intent: ['order', order] });
    if (order % 8 !== 5) continue;
    const isReady = () => processes.every(({ lines }) => lines.includes('ready'));
    await expect.poll(isReady).toBe(true);
    for (const { signal } of processes.splice(0)) signal('SIGKILL');
    processes.push(...start());
  }
  // The one with a single client would take a job of the other organization again and again, by chance.
  processes[1]?.signal('SIGKILL');
  await expect.poll(completed, { timeout: 60_000, interval: 200 }).toBe(2 * orders);
  for (const id of organizations) expect(listTags(mock, id)).toEqual(expected(id, orders).tags);
});
