/* Creates a tag and is killed while it waits for the answer: see index.ts. */
import { createClient } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';

const [baseUrl = '', folder = ''] = process.argv.slice(2);
const client = createClient({ apiKey: 'demo-write-key', baseUrl, journal: fileJournal(folder) });
await client.tags.create({ name: 'Survivor', color: 'purple' });
