/* Over HTTP: for code that creates its own client, or in another language. The mock chooses a free port. */
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { welcome } from './welcome.ts';

const mock = createMock({ rateLimit: 'off' });
let server: Awaited<ReturnType<typeof mock.listen>>;
beforeAll(async () => {
  server = await mock.listen({ port: 0 });
});
beforeEach(() => mock.reset());
afterAll(() => server.close());

test('a friend is welcomed', async () => {
  // The code under test would read these from its environment.
  const client = createClient({ apiKey: 'demo-write-key', baseUrl: server.baseUrl, pacing: false });
  const [friend] = (await client.friends.list({ limit: 1 })).records;
  if (friend === undefined) throw new Error('the demo has friends');
  expect(await welcome(client, friend)).toBe('welcomed');
  expect(mock.notifications().length).toBeGreaterThan(0);
});
