/*
 * Many keywords, fifty at a time. A keyword write has no operation id, so one whose answer is lost is never sent
 * again by itself: it is reported as unknown, and a person looks. Run again, the script adds only what is left.
 *
 *   npm run example bulk-keywords
 */
import { createMock } from '@orgchat/mock-server';
import { createClient, memoryJournal, OutcomeUnknownError } from '@orgchat/sdk';

const mock = createMock();
// In a script of your own: fileJournal() of @orgchat/sdk/node, which is there at the next run too.
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
  `on the site, as a person would see: ${mock.keywords('demo-site').filter(({ keyword }) => keywords.includes(keyword)).length}`,
);
