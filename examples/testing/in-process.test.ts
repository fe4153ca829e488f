/* In process: `mock.fetch` replaces fetch. No port, no network, a new mock for each test. */
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { welcome } from './welcome.ts';

function setUp() {
  const mock = createMock({ rateLimit: 'off' });
  const client = createClient({
    apiKey: 'demo-write-key',
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    pacing: false,
    retry: { baseDelayMs: 1 },
  });
  return { mock, client };
}

test('a friend is welcomed', async () => {
  const { client } = setUp();
  const [friend] = (await client.friends.list({ limit: 1 })).records;
  if (friend === undefined) throw new Error('the demo has friends');
  expect(await welcome(client, friend)).toBe('welcomed');
  expect((await client.friends.get(friend)).tagIds).toHaveLength(friend.tagIds.length + 1);
});

test('a friend whom someone else is editing is left alone', async () => {
  const { mock, client } = setUp();
  mock.faults.arm({ effect: 'rival-edit', action: 'set-friend-tags' });
  const [friend] = (await client.friends.list({ limit: 1 })).records;
  if (friend === undefined) throw new Error('the demo has friends');
  expect(await welcome(client, friend)).toBe('left alone');
});

test('a lost answer does not tag twice', async () => {
  const { mock, client } = setUp();
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 2 });
  const [friend] = (await client.friends.list({ limit: 1 })).records;
  if (friend === undefined) throw new Error('the demo has friends');
  expect(await welcome(client, friend)).toBe('welcomed');
  expect(mock.operations()).toHaveLength(2);
});
