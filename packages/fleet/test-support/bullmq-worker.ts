/* A worker of BullMQ in a process of its own. Arguments: port of the engine, base URL of the mock. */
import { createClient } from '@orgchat/sdk';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { createProcessor } from '../src/bullmq.ts';
import { redisJournal } from '../src/redis.ts';

const [port, baseUrl = ''] = process.argv.slice(2);
const connection = { port: Number(port) };
const client = createClient({
  apiKey: 'demo-write-key',
  baseUrl,
  pacing: false,
  journal: redisJournal(new Redis(connection)),
});
const queue = new Queue('orgchat', { connection });
const worker = new Worker('orgchat', createProcessor(client, { queue }), {
  connection,
  concurrency: 2,
  lockDuration: 1_000,
  stalledInterval: 500,
  maxStalledCount: 10,
});
worker.on('error', () => undefined);
await worker.waitUntilReady();
console.log('ready');
