/*
 * Sends what server.ts committed, at the pace that all workers share. Run as many as you like: if one dies, the others take
 * over what it had. Environment: DATABASE_URL, ORGANIZATION_ID, ORGCHAT_API_KEY, ORGCHAT_BASE_URL.
 */
import { migrate, outbox, postgresJournal, postgresPacing } from '@orgchat/fleet/postgres';
import { createClient } from '@orgchat/sdk';
import { openPool } from './database.ts';

const pool = openPool();
await migrate(pool);

const client = createClient({ journal: postgresJournal(pool), pacing: { shared: postgresPacing(pool) } });
const box = outbox(pool, { organization: process.env.ORGANIZATION_ID ?? '' });
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

console.log('Sending.');
await box.run(client, {
  signal: stopping.signal,
  onError: (error) => console.error('Waiting for the engine:', error.message),
});
// What the API refused stays in the outbox, with the reason, until somebody has looked at it: box.remove(operationId).
for (const { operationId, error } of await box.list())
  console.error(`${operationId} is left:`, error ?? 'open');
await pool.end();
