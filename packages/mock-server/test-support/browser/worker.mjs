import { createMock } from '@orgchat/mock-server/browser';
import { createClient } from '@orgchat/sdk';

/* In a Web Worker: the SDK with the mock. A page must not have an API key, so the SDK refuses to run there. */

async function run() {
  const mock = createMock();
  const client = createClient({
    apiKey: mock.writeKey ?? '',
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    retry: { baseDelayMs: 1 },
  });
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  const { replayed, result } = await client.tags.create({ name: 'From a worker', color: 'brown' });
  const named = (await client.tags.list()).records.filter(({ name }) => name === result?.name);
  return { replayed, name: result?.name, total: named.length };
}

run().then(
  (value) => globalThis.postMessage(value),
  (error) => globalThis.postMessage(String(error)),
);
