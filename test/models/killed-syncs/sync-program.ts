/* Syncs rows, and exits with 0 if every row is done. Arguments: base URL, folder of the journal. */
import { createClient } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { rows, syncOptions } from './rows.ts';

const [baseUrl = '', folder = ''] = process.argv.slice(2);
const journal = fileJournal(folder);
const client = createClient({ baseUrl, apiKey: 'demo-write-key', pacing: false, journal });
const { isComplete, results } = await client.templates.sync(rows, syncOptions);
for (const { error } of results) if (error) console.error(error);
process.exitCode = isComplete ? 0 : 1;
