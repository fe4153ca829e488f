/* The drivers fit what the fleet declares of them. */
import { migrate, postgresJournal } from '@orgchat/fleet/postgres';
import { redisJournal } from '@orgchat/fleet/redis';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { createClient } from 'redis';

export async function use(): Promise<unknown> {
  const pool = new Pool({ connectionString: 'postgres://db.example.com/orgchat' });
  await migrate(pool);
  const nodeRedis = await createClient({ url: 'redis://cache.example.com' }).connect();
  return [
    postgresJournal(pool),
    redisJournal(new Redis('redis://cache.example.com')),
    redisJournal(nodeRedis),
  ];
}
