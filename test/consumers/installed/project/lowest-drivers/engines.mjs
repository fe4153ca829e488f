/*
 * Uses the packed fleet with real engines and the drivers of this folder, which are the lowest versions that it allows.
 * Arguments: the ports of Postgres and of Redis.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PGlite } from '@electric-sql/pglite';
import { createProcessor, enqueue } from '@orgchat/fleet/bullmq';
import { migrate, outbox, postgresJournal, postgresPacing } from '@orgchat/fleet/postgres';
import { redisJournal, redisPacing } from '@orgchat/fleet/redis';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import * as nodeRedis from 'redis';

const [postgresPort, redisPort] = process.argv.slice(2).map(Number);
const organization = 'org_demo';
const redisUrl = `redis://127.0.0.1:${redisPort}`;
// What a store warns of, such as a session lock that it could not take, is a failure. Only the limits below are meant.
process.on('warning', (warning) => {
  if (!['ORGCHAT_RATE_LIMITED', 'ORGCHAT_QUOTA_EXCEEDED'].includes(warning.code)) throw warning;
});

const mock = createMock({ rateLimit: 'off' });
const connect = (journal, shared) =>
  createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, journal, retry: false },
    pacing: { shared },
  });
const tag = (name) => ({ action: 'create-tags', data: { name, color: 'pink' } });

/** A change whose answer is lost is sent again by another client, which finds it in the journal. */
async function useStores(name, open) {
  mock.faults.arm({ effect: 'lose-response' });
  const intent = [name];
  await assert.rejects(open().changeChat(tag(name), { intent }), { code: 'OUTCOME_UNKNOWN' });
  const [resumed] = await open().operations.resumeAll({ wait: true });
  assert.equal(resumed.state, 'applied');
}

async function usePostgres(name, db, begin) {
  await migrate(db);
  const open = () => connect(postgresJournal(db), postgresPacing(db));
  await useStores(name, open);
  const box = outbox(db, { organization });
  await begin((tx) => box.add(tx, tag(`${name} outbox`)));
  assert.deepEqual(await box.drain(open()), { applied: 1, left: [] });
}

async function usePg() {
  const pool = new pg.Pool({ host: '127.0.0.1', port: postgresPort, user: 'postgres' });
  await usePostgres('pg', pool, async (work) => {
    const tx = await pool.connect();
    await tx.query('BEGIN');
    await work(tx);
    await tx.query('COMMIT');
    tx.release();
  });
  // Only a session lock shows others that this process lives.
  const { rows } = await pool.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted");
  assert.equal(rows.length, 1);
  await pool.end();
}

async function usePglite() {
  const db = await PGlite.create();
  await usePostgres('PGlite', db, (work) => db.transaction(work));
  await db.close();
}

async function useIoredis() {
  const redis = new Redis(redisUrl);
  const prefix = 'ioredis';
  await useStores('ioredis', () => connect(redisJournal(redis, { prefix }), redisPacing(redis, { prefix })));
  await redis.quit();
}

async function useNodeRedis() {
  const redis = nodeRedis.createClient({ url: redisUrl });
  await redis.connect();
  const prefix = 'node-redis';
  await useStores('node-redis', () =>
    connect(redisJournal(redis, { prefix }), redisPacing(redis, { prefix })),
  );
  await redis.close();
}

/** A job that is applied after its queue was limited and itself delayed, and one that is refused. */
async function useBullmq() {
  const connection = { url: redisUrl };
  const redis = new Redis(redisUrl);
  const queue = new Queue('orgchat', { connection });
  const limited = { effect: 'respond', operation: 'changeChat', status: 429, retryAfter: 1 };
  mock.faults.arm(limited);
  mock.faults.arm({ ...limited, error: 'QUOTA_EXCEEDED', after: 1 });
  const client = connect(redisJournal(redis), redisPacing(redis));
  const worker = new Worker('orgchat', createProcessor(client, { queue }), { connection });
  await worker.waitUntilReady();
  const completed = once(worker, 'completed');
  await enqueue(queue, tag('BullMQ'), { organization, intent: ['BullMQ'] });
  const [job, outcome] = await completed;
  assert.equal(outcome.applied, true);
  // Neither a limit nor a delay uses up an attempt.
  assert.equal(job.attemptsMade, 1);
  const failed = once(worker, 'failed');
  await enqueue(queue, tag(''), { organization });
  const [refused, error] = await failed;
  assert.match(error.message, /Nothing was changed\./);
  assert.equal(await refused.getState(), 'failed');
  await worker.close();
  await queue.close();
  await redis.quit();
}

for (const use of [usePg, usePglite, useIoredis, useNodeRedis, useBullmq]) await use();
// One for each driver, and two of an outbox: nothing was lost, and nothing was applied twice.
assert.equal(mock.operations().length, 7);
console.log('pg, PGlite, ioredis, node-redis, BullMQ');
