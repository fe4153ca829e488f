import { createMock, type Mock } from '@orgchat/mock-server';
import { type ChatChange, createClient, type Journal, type OrgChatClient } from '@orgchat/sdk';
import { Queue, Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createProcessor, enqueue } from '../src/bullmq.ts';
import { migrate, outbox, postgresJournal } from '../src/postgres.ts';
import { redisJournal } from '../src/redis.ts';
import { type PostgresServer, startPostgres } from '../test-support/engines/postgres-server.ts';
import { type RedisServer, startRedis } from '../test-support/engines/redis-server.ts';
import { inTransaction } from '../test-support/in-transaction.ts';
import { organization } from '../test-support/organization.ts';

/*
 * Another machine used the intent for other work, and shares no journal with this one. That ends a change and a job: it is
 * sent once, and reported once.
 */

let postgres: PostgresServer;
let redis: RedisServer;
let mock: Mock;
let warnings: unknown[][];

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
});
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));
beforeEach(async () => {
  mock = createMock({ rateLimit: 'off' });
  warnings = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((...args: unknown[]) => void warnings.push(args));
  await connect().changeChat(create('Of another machine'), { intent });
});
afterEach(() => vi.restoreAllMocks());

const intent = ['order', 17];
const create = (name: string): ChatChange => ({ action: 'create-tags', data: { name, color: 'pink' } });
const connect = (journal?: Journal): OrgChatClient =>
  createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, pacing: false, journal },
  });
/** How often this machine sent the change. */
const sent = () => mock.requests.list().filter(({ operation }) => operation === 'changeChat').length - 1;

test('in the outbox it stays as unknown, and the same intent asks the server again', async () => {
  const pool = postgres.pool();
  await migrate(pool);
  const box = outbox(pool, { organization });
  async function add(change: ChatChange): Promise<string> {
    return (await inTransaction(pool, (tx) => box.add(tx, change, { intent }))).operationId;
  }
  const operationId = await add(create('Of this machine'));
  const client = connect(postgresJournal(pool));
  const ended = [{ operationId, state: 'unknown', attempts: 1, error: expect.stringContaining(operationId) }];
  for (let time = 0; time < 3; time++) expect((await box.drain(client)).left).toMatchObject(ended);
  await client.operations.resumeAll();
  expect(sent()).toBe(1);
  expect(warnings).toMatchObject([
    [expect.stringContaining('The outbox does not send it again.'), { code: 'ORGCHAT_INTENT_KNOWN' }],
  ]);

  await add(create('Of this machine'));
  expect((await box.drain(client)).left).toMatchObject(ended);
  expect(sent()).toBe(2);
  await add(create('Of another machine'));
  expect(await box.drain(client)).toEqual({ applied: 1, left: [] });
  expect(mock.operations()).toHaveLength(1);
});

test('in the queue it fails, and says to read the records', async () => {
  const connection = { port: redis.port };
  const queue = new Queue('orgchat', { connection });
  const client = connect(redisJournal(redis.ioredis()));
  const worker = new Worker('orgchat', createProcessor(client, { queue }), { connection, drainDelay: 1 });
  const failed: string[] = [];
  worker.on('failed', (_job, { message }) => failed.push(message));
  const add = () => enqueue(queue, create('Of this machine'), { organization, intent });
  const { job } = await add();
  await expect.poll(() => job.getState()).toBe('failed');
  await add();
  const counts = await queue.getJobCounts('waiting', 'delayed', 'failed');
  expect(counts).toEqual({ waiting: 0, delayed: 0, failed: 1 });
  expect(sent()).toBe(1);
  await expect.poll(() => failed).toEqual([expect.stringContaining('Read the records to see what it did.')]);
  await worker.close();
  await queue.close();
});
