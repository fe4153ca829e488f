/*
 * Adds many keywords, 50 at a time. A keyword write has no operation ID, so the SDK never resends one whose answer is
 * lost. It reports the outcome as unknown, and a person checks. A second run adds only what is left.
 *
 *   npm run example bulk-keywords
 */
import { createMock } from '@orgchat/mock-server';
import { createClient, memoryJournal, OutcomeUnknownError } from '@orgchat/sdk';

const mock = createMock();
// In your own script, use fileJournal() from @orgchat/sdk/node, which survives the process.
const journal = memoryJournal();
const client = createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, journal });

const keywords = Array.from({ length: 200 }, (_, n) => `keyword ${n + 1}`);

async function run(): Promise<void> {
  let added = 0;
  const unknown: string[] = [];
  for (let from = 0; from < keywords.length; from += 50) {
    const batch = keywords.slice(from, from + 50);
    try {
      // The intent names the batch: it is added once, however often the script runs.
      const result = await client.keywords.add(
        'demo-site',
        { keywords: batch },
        { intent: ['bulk keywords', from] },
      );
      added += result.added.length;
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error;
      unknown.push(`${batch[0]} to ${batch.at(-1)}`);
    }
  }
  console.log(`added: ${added}, unknown: ${unknown.join('; ') || 'none'}`);
}

const requests = () =>
  mock.requests.list().filter((request) => request.operation === 'addSeoKeywords').length;

// The answer to the third request is lost, after the server added its keywords.
mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords', after: 2 });

await run();
console.log(`requests: ${requests()}`);
await run();
console.log(`requests: ${requests()}`);
console.log(
  `on the site: ${mock.keywords('demo-site').filter(({ keyword }) => keywords.includes(keyword)).length}`,
);
