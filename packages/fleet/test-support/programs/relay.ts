/* A relay of the outbox in a process of its own. Arguments: port of the engine, base URL of the mock, organization, key. */
import { createClient } from '@orgchat/sdk';
import { outbox, postgresJournal } from '../../src/postgres.ts';
import { organization as demo } from '../organization.ts';
import { createWorkerPool } from './worker-pool.ts';

const [port, baseUrl = '', organization = demo, apiKey = 'demo-write-key'] = process.argv.slice(2);
const pool = createWorkerPool(Number(port));
const client = createClient({
  apiKey,
  baseUrl,
  pacing: false,
  journal: postgresJournal(pool),
});
console.log('ready');
await outbox(pool, { organization }).run(client, { onError: () => undefined });
