import { createMock } from '@orgchat/mock-server/browser';
import { createClient } from '@orgchat/sdk';

// Two requests per minute, and a client that neither waits nor tries again.
const mock = createMock({ rateLimit: 2 });
const client = createClient({
  apiKey: mock.writeKey,
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
  pacing: false,
  retry: false,
});

await client.account();
await client.account();
try {
  await client.account();
} catch (error) {
  console.log('third request:', error.code);
}

// A test moves the clock instead of waiting.
mock.clock.advance(60_000);
const { key } = await client.account();
console.log('a minute later:', key.name);
