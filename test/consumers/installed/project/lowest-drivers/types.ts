/* The types of these drivers fit what the fleet declares of them. */

import { PGlite } from '@electric-sql/pglite';
import { createProcessor, enqueue } from '@orgchat/fleet/bullmq';
import { migrate, postgresJournal } from '@orgchat/fleet/postgres';
import { redisJournal } from '@orgchat/fleet/redis';
import { createClient as connect } from '@orgchat/sdk';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { createClient } from 'redis';

export async function use(): Promise<unknown> {
  const pool = new Pool({ connectionString: 'postgres://db.example.com/orgchat' });
  await migrate(pool);
  const nodeRedis = await createClient({ url: 'redis://cache.example.com' }).connect();
  const connection = { url: 'redis://cache.example.com' };
  const queue = new Queue('orgchat', { connection });
  const summer = { siteId: 'demo-site', keywords: ['beach'] };
  await enqueue(queue, summer, { organization: 'org_7' });
  // @ts-expect-error whose keywords?
  await enqueue(queue, summer, { intent: ['summer'] });
  const clients = new Map([['org_7', connect()]]);
  return [
    postgresJournal(pool),
    postgresJournal(await PGlite.create()),
    redisJournal(new Redis('redis://cache.example.com')),
    redisJournal(nodeRedis),
    new Worker('orgchat', createProcessor(connect(), { queue }), { connection, maxStalledCount: 10 }),
    createProcessor((organization) => clients.get(organization), { queue }),
  ];
}
