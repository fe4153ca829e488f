/*
 * A worker of BullMQ in a process of its own. Arguments: port of the engine, base URL of the mock, and the organizations
 * that it has clients for, each with a key named after it. Without one: the organization of the demo.
 */
import { createClient, type OrgChatClient } from '@orgchat/sdk';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { createProcessor } from '../../src/bullmq.ts';
import { redisJournal } from '../../src/redis.ts';

const [port, baseUrl = '', ...organizations] = process.argv.slice(2);
const connection = { port: Number(port) };
const journal = redisJournal(new Redis(connection));
const connect = (apiKey: string): OrgChatClient => createClient({ apiKey, baseUrl, pacing: false, journal });
const clients = new Map(organizations.map((id) => [id, connect(`key-${id}`)]));
const given = clients.size === 0 ? connect('demo-write-key') : (id: string) => clients.get(id);
const queue = new Queue('orgchat', { connection });
const worker = new Worker('orgchat', createProcessor(given, { queue }), {
  connection,
  concurrency: 2,
  lockDuration: 1_000,
  stalledInterval: 500,
  maxStalledCount: 10,
});
worker.on('error', () => undefined);
await worker.waitUntilReady();
console.log('ready');
