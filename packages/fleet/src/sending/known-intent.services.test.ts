import { type ChatChange, OutcomeUnknownError } from '@orgchat/sdk';
import { Queue, Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createScriptedClient, organization } from '../../test-support/organization.ts';
import { type PostgresServer, startPostgres } from '../../test-support/postgres-server.ts';
import { type RedisServer, startRedis } from '../../test-support/redis-server.ts';
import { createProcessor, enqueue } from '../bullmq.ts';
import { migrate, outbox } from '../postgres.ts';

/* The server knows an intent with other work. That ends a change and a job: it is sent once, and reported once. */

let postgres: PostgresServer;
let redis: RedisServer;
let warnings: unknown[][];

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
});
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));
beforeEach(() => {
  warnings = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((...args: unknown[]) => void warnings.push(args));
});
afterEach(() => vi.restoreAllMocks());

const vip: ChatChange = { action: 'create-tags', data: { name: 'VIP', color: 'pink' } };
const intent = ['order', 17];

/** A client that counts its changes, and is answered that the intent is known until the server says otherwise. */
function openClient() {
  const server = { sent: 0, isKnown: true };
  const client = createScriptedClient(async (_change, { operationId }) => {
    server.sent++;
    if (!server.isKnown) return { operationId, applied: true, replayed: true };
    throw new OutcomeUnknownError('The server knows this intent with other input.', {
      ...{ code: 'OUTCOME_UNKNOWN', reason: 'intent-known', outcome: 'unknown', status: 409, operationId },
    });
  });
  return { client, server };
}

test('in the outbox it stays as unknown, and the same intent asks the server again', async () => {
  const pool = postgres.pool();
  await migrate(pool);
  const box = outbox(pool, { organization });
  async function add(): Promise<string> {
    const tx = await pool.connect();
    await tx.query('BEGIN');
    const { operationId } = await box.add(tx, vip, { intent });
    await tx.query('COMMIT');
    tx.release();
    return operationId;
  }
  const operationId = await add();
  const { client, server } = openClient();
  const ended = [
    { operationId, state: 'unknown', attempts: 1, error: expect.stringContaining('knows this') },
  ];
  for (let time = 0; time < 3; time++) expect((await box.drain(client)).left).toMatchObject(ended);
  expect(server.sent).toBe(1);
  expect(warnings).toMatchObject([
    [expect.stringContaining('The outbox does not send it again.'), { code: 'ORGCHAT_INTENT_KNOWN' }],
  ]);

  await add();
  server.isKnown = false;
  expect(await box.drain(client)).toEqual({ applied: 1, left: [] });
  expect(server.sent).toBe(2);
});

test('in the queue it fails, and says to read the records', async () => {
  const connection = { port: redis.port };
  const queue = new Queue('orgchat', { connection });
  const { client, server } = openClient();
  const worker = new Worker('orgchat', createProcessor(client, { queue }), { connection, drainDelay: 1 });
  const failed: string[] = [];
  worker.on('failed', (_job, { message }) => failed.push(message));
  const { job } = await enqueue(queue, vip, { organization, intent });
  await expect.poll(() => job.getState(), { timeout: 20_000 }).toBe('failed');
  await enqueue(queue, vip, { organization, intent });
  expect(await queue.getJobCounts('waiting', 'delayed', 'failed')).toEqual({
    waiting: 0,
    delayed: 0,
    failed: 1,
  });
  expect(server.sent).toBe(1);
  expect(failed).toEqual([
    expect.stringMatching(/knows this intent .* Read the records to see what it did\./),
  ]);
  await worker.close();
  await queue.close();
});
