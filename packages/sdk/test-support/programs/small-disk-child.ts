/*
 * Records an operation while no file may be as large as its entry, and prints the result. Argument: the folder.
 */
import { readdirSync } from 'node:fs';
import { createClient } from '../../src/index.ts';
import { fileJournal } from '../../src/node.ts';

const [folder = ''] = process.argv.slice(2);
let sent = 0;
const client = createClient({
  apiKey: 'small-disk-key',
  baseUrl: 'http://127.0.0.1:9/api/v1',
  journal: fileJournal(folder),
  fetch: async () => {
    sent++;
    throw new TypeError('it must not be sent');
  },
});
const outcome = await client.templates
  .create({ name: 'Large', text: 'x'.repeat(5000) })
  .catch((error) => error);
process.stdout.write(
  JSON.stringify({ code: outcome.code, cause: outcome.cause?.code, sent, files: readdirSync(folder) }),
);
