import { createMock, type Listening, type Mock } from '@orgchat/mock-server';
import { createClient, type OrgChatClient } from '@orgchat/sdk';
import { type Job, Queue, Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RedisServer, startRedis } from '../test-support/engines/redis-server.ts';
import { organization } from '../test-support/organization.ts';
import { type Worker as Process, startBullmqWorker } from '../test-support/programs/start-worker.ts';
import { createProcessor, enqueue } from './bullmq.ts';
import { redisJournal } from './redis.ts';

/* Jobs of BullMQ on a real Redis: their workers are killed, and the server refuses, limits and loses answers. */

let server: RedisServer;
let mock: Mock;
let http: Listening;
let queue: Queue;
const workers: Worker[] = [];
const processes: Process[] = [];

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(async () => {
  mock = createMock({ rateLimit: 'off' });
  http = await mock.listen({ port: 0 });
  await server.ioredis().flushall();
  queue = new Queue('orgchat', { connection: { port: server.port } });
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const { signal } of processes.splice(0)) signal('SIGKILL');
  await Promise.all(workers.splice(0).map((worker) => worker.close(true)));
  await queue.close();
  await http.close();
});

const vip = { action: 'create-tags', data: { name: 'VIP', color: 'pink' } } as const;
const brief = { organization, job: { attempts: 3, backoff: { type: 'fixed', delay: 50 } } };

function connect(more: object = {}): OrgChatClient {
  return createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: http.baseUrl, pacing: false, retry: false },
    journal: redisJournal(server.ioredis()),
    ...more,
  });
}

function work(client = connect()): Worker {
  const worker = new Worker('orgchat', createProcessor(client, { queue }), {
    connection: { port: server.port },
    ...{ lockDuration: 10_000, stalledInterval: 500, maxStalledCount: 10, drainDelay: 1 },
  });
  worker.on('error', () => undefined);
  workers.push(worker);
  return worker;
}

/** What was sent and changes something. */
const writes = () => mock.requests.list().filter(({ operation }) => operation !== 'getAccount');

/** Returns a job once it is done, or failed for good. */
async function ended({ id = '' }: Job): Promise<Job> {
  const state = () => queue.getJobState(id);
  await expect.poll(state, { interval: 20 }).toMatch(/^(completed|failed)$/);
  const job = (await queue.getJob(id)) as Job | undefined;
  if (!job) throw new Error('the job is gone');
  return job;
}

const getLogs = async ({ id = '' }: Job): Promise<string> => (await queue.getJobLogs(id)).logs.join('\n');

test('a job returns the outcome of its change', async () => {
  work();
  const { operationId, job } = await enqueue(queue, vip, { organization });
  const { returnvalue, name } = await ended(job);
  expect(name).toBe('create-tags');
  expect(job.id).toBe(`org_demo.${operationId}`);
  expect(returnvalue).toMatchObject({ operationId, applied: true, replayed: false, result: { name: 'VIP' } });
});

test('jobs of a worker that was killed are taken by another one: a change is applied once, keywords are not sent again', async () => {
  for (const operation of ['changeChat', 'addSeoKeywords'] as const)
    mock.faults.arm({ effect: 'delay', operation, delayMs: 60_000, applied: true });
  const dead = startBullmqWorker(server.port, http.baseUrl);
  processes.push(dead);
  const { operationId, job } = await enqueue(queue, vip, { organization });
  const keywords = await enqueue(queue, { siteId: 'demo-site', keywords: ['beach'] }, { organization });
  await expect.poll(() => writes().length).toBe(2);
  dead.signal('SIGKILL');
  work();
  const { returnvalue, stalledCounter } = await ended(job);
  expect(returnvalue).toMatchObject({ operationId, applied: true, replayed: true });
  expect(stalledCounter).toBe(1);
  // It waited until the first worker counted as dead, and used up no attempt.
  expect(await getLogs(job)).toContain('Another worker holds the operation, or died while holding it.');
  expect((await ended(keywords.job)).failedReason).toContain('Check the keywords of site "demo-site".');
  const sent = writes().map(({ operation }) => operation);
  expect(sent.filter((operation) => operation === 'addSeoKeywords')).toHaveLength(1);
  expect(mock.operations()).toHaveLength(1);
});

test('a lost answer is asked for again under the same id', async () => {
  mock.faults.arm({ operation: 'changeChat', effect: 'lose-response' });
  work();
  const { operationId, job } = await enqueue(queue, vip, brief);
  const { returnvalue, attemptsMade } = await ended(job);
  expect(returnvalue).toMatchObject({ operationId, applied: true, replayed: true });
  expect(attemptsMade).toBe(2);
  expect(await getLogs(job)).toContain(
    'The job is retried under the same id, so it is applied at most once.',
  );
});

test('after a 429 the whole queue waits, and no attempt is used up', async () => {
  mock.faults.arm({ operation: 'changeChat', effect: 'respond', status: 429, retryAfter: 1 });
  work();
  const startedAt = performance.now();
  const jobs = [await enqueue(queue, vip, brief), await enqueue(queue, vip, brief)];
  for (const { job } of jobs) expect((await ended(job)).attemptsMade).toBe(1);
  expect(performance.now() - startedAt).toBeGreaterThan(900);
  expect(writes().map(({ status }) => status)).toEqual([429, 200, 200]);
});

test('an operation that the server does not know the outcome of is asked about until no attempt is left', async () => {
  mock.faults.arm({ operation: 'changeChat', effect: 'uncertain' });
  work();
  const { operationId, job } = await enqueue(queue, vip, brief);
  const { failedReason, attemptsMade } = await ended(job);
  expect(attemptsMade).toBe(3);
  expect(failedReason).toContain('The change may have been applied.');
  expect(failedReason).toMatch(/No attempts are left: retry this job when the server answers again\.$/);
  const sent = writes().map((request) => request.operationId);
  expect(sent).toEqual([operationId, operationId, operationId]);
});

test('a change that is refused for what it is fails at once, and says what to do', async () => {
  work();
  const missing = { action: 'delete-tags', id: 'nothing', expectedRevision: 1 } as never;
  const { job } = await enqueue(queue, missing, brief);
  const { failedReason, attemptsMade } = await ended(job);
  expect(attemptsMade).toBe(1);
  expect(failedReason).toMatch(/Nothing was changed\. Enqueue corrected work with another intent\.$/);
});

test.each([
  ['revoked', { revoked: true }, { revoked: false }],
  ['not allowed to write', { scope: 'read' }, { scope: 'write' }],
] as const)(
  'while its key is %s, a job waits, uses up no attempt, and is reported once',
  async (_what, broken, sound) => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    work();
    await ended((await enqueue(queue, vip, brief)).job);
    mock.patchKey('demo-write-key', broken);
    const { job } = await enqueue(queue, vip, brief);
    const starts = async () => (await queue.getJob(job.id ?? ''))?.attemptsStarted;
    await expect.poll(starts).toBe(2);
    expect(warned.mock.calls).toMatchObject([
      [expect.stringContaining('Fix the API key or its permissions.'), { code: 'ORGCHAT_KEY_REFUSED' }],
    ]);
    mock.patchKey('demo-write-key', sound);
    expect((await ended(job)).attemptsMade).toBe(1);
    expect(mock.operations()).toHaveLength(2);
  },
);

describe('keywords', () => {
  const summer = { siteId: 'demo-site', keywords: ['beach', 'sun'] };

  test('are added once', async () => {
    work();
    const { job } = await enqueue(queue, summer, brief);
    expect((await ended(job)).returnvalue).toMatchObject({ added: ['beach', 'sun'], skipped: [] });
  });

  test('with an unknown outcome are not sent again, and the job says what to check', async () => {
    mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords' });
    work();
    const { job } = await enqueue(queue, summer, brief);
    const { failedReason, attemptsMade } = await ended(job);
    expect(attemptsMade).toBe(1);
    expect(failedReason).toContain('Check the keywords of site "demo-site".');
    expect(writes()).toHaveLength(1);
  });
});

describe('the same intent', () => {
  const intent = ['order', 17];

  test('is the same job, and the same operation when the job is gone', async () => {
    const first = await enqueue(queue, vip, { organization, intent });
    const again = await Promise.all([1, 2, 3].map(() => enqueue(queue, vip, { organization, intent })));
    expect(new Set(again.map(({ job }) => job.id))).toEqual(new Set([first.job.id]));
    expect(await queue.count()).toBe(1);
    work();
    await (await ended(first.job)).remove();
    const late = await enqueue(queue, vip, { organization, intent });
    expect((await ended(late.job)).returnvalue).toMatchObject({ replayed: true });
    expect(mock.operations()).toHaveLength(1);
  });

  test('is the same job after it failed, and is applied when that is retried', async () => {
    mock.faults.arm({ operation: 'changeChat', effect: 'respond', status: 400, error: 'INVALID_INPUT' });
    work();
    await ended((await enqueue(queue, vip, { organization, intent })).job);
    const { job } = await enqueue(queue, vip, { organization, intent });
    expect(await job.isFailed()).toBe(true);
    await job.retry();
    expect((await ended(job)).returnvalue).toMatchObject({ applied: true, replayed: false });
  });

  test('is the same job with its fields in another order', async () => {
    const first = await enqueue(queue, vip, { organization, intent });
    const sorted = { data: { color: 'pink', name: 'VIP' }, action: 'create-tags' } as const;
    expect((await enqueue(queue, sorted, { organization, intent })).job.id).toBe(first.job.id);
  });

  test('with other work is refused', async () => {
    await enqueue(queue, vip, { organization, intent });
    const gold = { ...vip, data: { name: 'Gold', color: 'orange' } } as const;
    await expect(enqueue(queue, gold, { organization, intent })).rejects.toMatchObject({
      code: 'INPUT_CONFLICT',
    });
  });
});

test('a job waits while the journal is down, and uses up no attempt', async () => {
  const closed = server.ioredis();
  await closed.quit();
  work(connect({ journal: redisJournal(closed) }));
  const { job } = await enqueue(queue, vip, brief);
  await expect.poll(() => queue.getJobState(job.id ?? '')).toBe('delayed');
  expect((await queue.getJob(job.id ?? ''))?.attemptsMade).toBe(0);
  expect(await getLogs(job)).toMatch(/Nothing was sent\. The job is tried again later\.$/);
  expect(writes()).toEqual([]);
});

test('a job of another kind fails at once', async () => {
  work();
  const job = await queue.add('mail', { to: 'a@example.com' }, { attempts: 3 });
  expect((await ended(job)).failedReason).toMatch(/^This job was not added by enqueue\(\)/);
});

test('work that the options of the queue drop is reported', async () => {
  const deduplication = { id: 'all' };
  const defaultJobOptions = { deduplication } as object;
  const deduplicating = new Queue('orgchat', { connection: { port: server.port }, defaultJobOptions });
  const { job } = await enqueue(deduplicating, vip, { organization });
  await expect(enqueue(deduplicating, vip, { organization })).rejects.toMatchObject({
    code: 'INVALID_OPTIONS',
    message: expect.stringContaining(`has job ${job.id} in place of this work`),
  });
  await deduplicating.close();
});

test.each<[() => unknown, RegExp]>([
  [() => enqueue({} as never, vip, { organization }), /requires a BullMQ Queue/],
  [() => enqueue(queue, 'x' as never, { organization }), /requires a change .* or \{ siteId, keywords \}/],
  ...[
    { jobId: '7' },
    { repeat: { every: 1_000 } },
    { deduplication: { id: 'a' } },
    { debounce: { id: 'a' } },
  ].map((job): [() => unknown, RegExp] => [
    () => enqueue(queue, vip, { organization, job } as never),
    new RegExp(`^job\\.${Object.keys(job)[0]} cannot be set`),
  ]),
  [
    () => enqueue(queue, vip, { organization, intnt: ['x'] } as never),
    /"intnt" is not an option of enqueue\(\)/,
  ],
  [() => enqueue(queue, vip, {} as never), /^enqueue\(\) requires \{ organization \}: .*got undefined\.$/],
  [() => enqueue(queue, vip, undefined as never), /requires \{ organization \}/],
  [() => enqueue(queue, vip, { organization: '' }), /requires \{ organization \}: .* got ""\.$/],
  [async () => createProcessor({} as never, { queue }), /requires an @orgchat\/sdk client/],
  [async () => createProcessor(connect(), {} as never), /requires \{ queue \}/],
  [async () => createProcessor(connect(), { queue, retries: 3 } as never), /"retries" is not an option/],
])('%# is refused before anything is added', async (call, says) => {
  await expect(call()).rejects.toMatchObject({
    code: 'INVALID_OPTIONS',
    message: expect.stringMatching(says),
  });
  expect(await queue.count()).toBe(0);
});
