/*
 * A worker in a process of its own. It makes changes for the orders `from` to `to`, and prints a line for each. Its
 * argument is a `WorkerOptions` as JSON.
 */
import { createClient, type Journal, OrgChatError, type SharedPacing } from '@orgchat/sdk';
import { createClient as createNodeRedis } from 'redis';
import { minuteMs } from '../../src/pacing-rules.ts';
import { createPostgresPacing } from '../../src/postgres/pacing.ts';
import { postgresJournal } from '../../src/postgres.ts';
import { redisJournal, redisPacing } from '../../src/redis.ts';
import { createWorkerPool } from './worker-pool.ts';
import { createWorkerRedis } from './worker-redis.ts';

export interface WorkerOptions {
  readonly port: number;
  readonly baseUrl: string;
  readonly from: number;
  readonly to: number;
  readonly timeoutMs?: number;
  /** Without an intent, each order gets an id of its own at every try. */
  readonly isRepeatable?: boolean;
  /** How far the clock of this machine is wrong. */
  readonly clockOffsetMs?: number;
  /** What runs on `port`, and the driver that is used. Default `pg`. */
  readonly driver?: 'pg' | 'ioredis' | 'node-redis';
  /** The pace that all workers share. Default: none. */
  readonly perMinute?: number;
  /** The length of its minute in a Postgres. */
  readonly windowMs?: number;
}

const options = JSON.parse(process.argv[2] ?? '{}') as WorkerOptions;
const {
  port,
  baseUrl,
  from,
  to,
  timeoutMs = 60_000,
  isRepeatable = true,
  clockOffsetMs = 0,
  perMinute,
  windowMs = minuteMs,
  driver = 'pg',
} = options;
const { now } = Date;
Date.now = () => now() + clockOffsetMs;

/** What the workers share, and how to close it. */
interface Stores {
  readonly journal: Journal;
  readonly shared: SharedPacing | undefined;
  close(): Promise<unknown>;
}

async function open(): Promise<Stores> {
  const onWarning = (): void => undefined;
  if (driver === 'ioredis') {
    const redis = createWorkerRedis(port);
    return {
      journal: redisJournal(redis, { onWarning }),
      shared: redisPacing(redis),
      close: () => redis.quit(),
    };
  }
  if (driver === 'node-redis') {
    const redis = createNodeRedis({ socket: { port, reconnectStrategy: () => 50 } });
    redis.on('error', () => undefined);
    await redis.connect();
    return {
      journal: redisJournal(redis, { onWarning }),
      shared: redisPacing(redis),
      close: () => redis.close(),
    };
  }
  const pool = createWorkerPool(port);
  const shared = createPostgresPacing(pool, {}, windowMs);
  return { journal: postgresJournal(pool), shared, close: () => pool.end() };
}

const { journal, shared, close } = await open();
const client = createClient({
  apiKey: 'demo-write-key',
  baseUrl,
  ...(perMinute ? {} : { timeoutMs }),
  pacing: perMinute ? { perMinute, shared } : false,
  journal,
  onEvent: (event) => {
    if (event.type === 'journal') console.log(`journal ${event.problem.message}`);
  },
});

let next = from;
async function work(): Promise<void> {
  while (next < to) {
    const order = next++;
    const intent = isRepeatable ? ['order', order] : undefined;
    try {
      await client.tags.create({ name: `Order ${order}`, color: 'pink' }, { intent });
      console.log(`applied ${order}`);
    } catch (error) {
      console.log(`failed ${order} ${error instanceof OrgChatError ? error.code : error}`);
    }
  }
}
console.log('ready');
await Promise.all([work(), work(), work()]);
await close();
