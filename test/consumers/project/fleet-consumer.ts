/* What a user of the fleet writes, compiled against the packed install. */
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
import { createClient, type Journal } from '@orgchat/sdk';
import { Pool } from 'pg';

const pool = new Pool({ connectionString: 'postgres://db.example.com/orgchat' });
const options: PostgresJournalOptions = { schema: 'staging', timeoutMs: 10_000, keepSettledDays: 30 };
const journal: Journal = postgresJournal(pool, options);
// @ts-expect-error no such option
postgresJournal(pool, { timeout: 1 });

export const client = createClient({ journal, pacing: { perMinute: 30, shared: postgresPacing(pool) } });
export const queryable: Queryable = pool;

export async function use(): Promise<FleetErrorCode | undefined> {
  await migrate(pool, { schema: 'staging' });
  const box: Outbox = outbox(pool, { name: 'org-7' });
  const tx = await pool.connect();
  await box.add(
    tx,
    { action: 'create-tags', data: { name: 'VIP', color: 'pink' } },
    { intent: ['order', 17] },
  );
  // @ts-expect-error no such color
  await box.add(tx, { action: 'create-tags', data: { name: 'VIP', color: 'red' } });
  const { applied, left } = await box.drain(client);
  console.log(applied, left[0]?.error);
  try {
    await client.operations.resumeAll({ wait: true });
  } catch (error) {
    if (error instanceof FleetError) return error.code;
  }
  return undefined;
}
