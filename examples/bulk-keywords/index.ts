/*
 * Adds many keywords, 50 at a time, and reports those whose outcome nobody knows. A keyword write has no operation ID, so
 * the SDK never resends one whose answer is lost: a person checks. A second run adds only what is left.
 *
 *   npm run example bulk-keywords
 */
import { createMock } from '@orgchat/mock-server';
import { createClient, memoryJournal } from '@orgchat/sdk';

const mock = createMock();
// In your own script, use fileJournal() from @orgchat/sdk/node, which survives the process.
const journal = memoryJournal();
const client = createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, journal });

const keywords = Array.from({ length: 200 }, (_, n) => `keyword ${n + 1}`);

async function run(): Promise<void> {
  // The intent names the list: what was sent is not sent again, however often the script runs.
  const { added, unknown } = await client.keywords.import('demo-site', keywords, {
    intent: ['bulk keywords'],
    continueAfterUnknown: true,
  });
  const names = unknown.length > 0 ? `${unknown[0]} to ${unknown.at(-1)}` : 'none';
  console.log(`added: ${added.length}, unknown: ${names}`);
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
