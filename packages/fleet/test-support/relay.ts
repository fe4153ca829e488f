/* A relay of the outbox in a process of its own. Arguments: port of the engine, base URL of the mock. */
import { createClient } from '@orgchat/sdk';
import { outbox, postgresJournal } from '../src/postgres.ts';
import { createWorkerPool } from './worker-pool.ts';

const [port, baseUrl = ''] = process.argv.slice(2);
const pool = createWorkerPool(Number(port));
const client = createClient({
  apiKey: 'demo-write-key',
  baseUrl,
  pacing: false,
  journal: postgresJournal(pool),
});
console.log('ready');
await outbox(pool).run(client, { onError: () => undefined });
