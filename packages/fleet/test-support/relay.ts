/* A relay of the outbox in a process of its own. Arguments: port of the engine, base URL of the mock. */
import { createClient } from '@orgchat/sdk';
import pg from 'pg';
import { outbox, postgresJournal } from '../src/postgres.ts';

const [port, baseUrl = ''] = process.argv.slice(2);
const pool = new pg.Pool({
  host: '127.0.0.1',
  port: Number(port),
  user: 'postgres',
  database: 'postgres',
  max: 4,
});
pool.on('error', () => undefined);
const client = createClient({
  apiKey: 'demo-write-key',
  baseUrl,
  pacing: false,
  journal: postgresJournal(pool),
});
console.log('ready');
await outbox(pool).run(client, { onError: () => undefined });
