/*
 * The nightly sync on several machines at once: if one is down or dies, the others do its work. It is that of
 * examples/service, started by cron. The machines share a journal, so nothing is created twice, and a pace, so they keep to the limit together.
 *
 *   15 2 * * *  cd /srv/shop && DATABASE_URL=… node job.js catalog.json
 *
 * Exit codes: 0 everything is as in the file · 1 something is not, see the log.
 */
import { migrate, postgresJournal, postgresPacing } from '@orgchat/fleet/postgres';
import { createClient } from '@orgchat/sdk';
import { syncCatalog } from '../service/nightly-sync.ts';
import { openPool } from '../webhook-outbox/database.ts';

const [path = 'catalog.json'] = process.argv.slice(2);
const pool = openPool();
await migrate(pool);

const client = createClient({ journal: postgresJournal(pool), pacing: { shared: postgresPacing(pool) } });
// What dead machines left, and what living ones are sending at this moment.
await client.operations.resumeAll({ wait: true });
process.exitCode = (await syncCatalog(client, path)) ? 0 : 1;
await pool.end();
