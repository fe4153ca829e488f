import { createMock } from '@orgchat/mock-server/browser';
import { createClient } from '@orgchat/sdk';

// Two requests per minute, and a client that does not wait by itself.
const mock = createMock({ rateLimit: 2 });
const client = createClient({
  apiKey: mock.writeKey,
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
  pacing: false,
  retry: { maxRetries: 0 },
});

await client.account();
await client.account();
try {
  await client.account();
} catch (error) {
  console.log(error.code, '- again in', Math.round(error.retryAfterMs / 1000), 's');
}

// A test moves the clock instead of waiting.
mock.clock.advance(60_000);
const { key } = await client.account();
console.log('a minute later:', key.name);
