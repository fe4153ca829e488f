/*
 * Metrics of one organization for Prometheus, with the rules of its alerts. They are on port 9464, and the rules in
 * alerts.yml.
 *
 *   DATABASE_URL=postgres://… ORGCHAT_API_KEY=… ORGCHAT_BASE_URL=… npx tsx server.ts
 */
import { createServer } from 'node:http';
import { outbox, postgresJournal, postgresPacing } from '@orgchat/fleet/postgres';
import { createClient } from '@orgchat/sdk';
import pg from 'pg';
import { createMetrics } from './metrics.ts';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 2,
  application_name: 'orgchat-metrics',
});
pool.on('error', (error) => console.error('Connection lost:', error.message));
const pacing = postgresPacing(pool);
const client = createClient({ journal: postgresJournal(pool), pacing: { shared: pacing } });
const { organizationId } = await client.account();
const metrics = createMetrics({ client, pacing, box: outbox(pool, { organization: organizationId }) });

const server = createServer(async (_request, response) => {
  response.setHeader('content-type', 'text/plain; version=0.0.4');
  response.end(await metrics());
});
server.listen(Number(process.env.PORT ?? 9464), () => console.log(JSON.stringify(server.address())));
