/* What a user of the fleet writes, compiled against the packed install. The types of the drivers are in fleet-drivers.ts. */
import {
  FleetError,
  type FleetErrorCode,
  migrate,
  type Outbox,
  outbox,
  type PostgresJournalOptions,
  postgresJournal,
  postgresPacing,
  type Queryable,
} from '@orgchat/fleet/postgres';
import { type RedisClient, type RedisJournalOptions, redisJournal, redisPacing } from '@orgchat/fleet/redis';
import { createClient, type Journal } from '@orgchat/sdk';

export async function use(pool: Queryable, redis: RedisClient): Promise<FleetErrorCode | undefined> {
  const options: PostgresJournalOptions = { schema: 'staging', timeoutMs: 10_000, keepSettledDays: 30 };
  const journal: Journal = postgresJournal(pool, options);
  // @ts-expect-error no such option
  postgresJournal(pool, { timeout: 1 });
  const client = createClient({ journal, pacing: { perMinute: 30, shared: postgresPacing(pool) } });
  const redisOptions: RedisJournalOptions = { prefix: 'staging' };
  createClient({ journal: redisJournal(redis, redisOptions), pacing: { shared: redisPacing(redis) } });
  await migrate(pool, { schema: 'staging' });
  // @ts-expect-error whose changes?
  outbox(pool, { name: 'orders' });
  const box: Outbox = outbox(pool, { organization: 'org_7', name: 'orders' });
  await box.add(
    pool,
    { action: 'create-tags', data: { name: 'VIP', color: 'pink' } },
    { intent: ['order', 17] },
  );
  // @ts-expect-error no such color
  await box.add(pool, { action: 'create-tags', data: { name: 'VIP', color: 'red' } });
  const { applied, left } = await box.drain(client);
  console.log(applied, left[0]?.error);
  try {
    await client.operations.resumeAll({ wait: true });
  } catch (error) {
    if (error instanceof FleetError) return error.code;
  }
  return undefined;
}
