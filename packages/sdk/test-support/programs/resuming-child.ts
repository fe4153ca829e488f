/* Resumes a journal. Arguments: base URL, folder. */
import { createClient } from '../../src/index.ts';
import { fileJournal } from '../../src/node.ts';

const [baseUrl = '', folder = ''] = process.argv.slice(2);
const client = createClient({
  baseUrl,
  apiKey: 'demo-write-key',
  pacing: false,
  journal: fileJournal(folder),
});
await client.operations.resumeAll();
