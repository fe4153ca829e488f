/* The service under Jest: `npx jest --config examples/service/jest.config.cjs`. jest.test.ts runs it with the others. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { importKeywords } from './keyword-import.ts';
import { syncCatalog } from './nightly-sync.ts';
import { handleOrder } from './orders.ts';

/** A mock and a client for one test, in process. */
function setUp() {
  const mock = createMock({ rateLimit: 'off' });
  const options = {
    apiKey: 'demo-write-key',
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    pacing: false,
  } as const;
  return { mock, client: createClient({ ...options, retry: { baseDelayMs: 1 } }) };
}

test('an order tags the friend once, although its answer is lost and it is delivered again', async () => {
  const { mock, client } = setUp();
  const friend = await client.friends.list().first();
  if (!friend) throw new Error('the demo has friends');
  mock.faults.arm({ effect: 'lose-response', action: 'set-friend-tags' });
  await handleOrder(client, { id: 'A-1', product: 'Tea', friend });
  await handleOrder(client, { id: 'A-1', product: 'Tea', friend });
  const applied = mock.requests.list().filter((request) => request.applied);
  expect(applied.map(({ action }) => action)).toEqual(['create-tags', 'set-friend-tags']);
  expect((await client.friends.get(friend)).tagIds).toHaveLength(friend.tagIds.length + 1);
});

test('a second sync changes nothing', async () => {
  const { mock, client } = setUp();
  const catalog = join(__dirname, 'data/catalog.json');
  expect(await syncCatalog(client, catalog)).toBe(true);
  const operations = mock.operations().length;
  expect(await syncCatalog(client, catalog)).toBe(true);
  expect(mock.operations()).toHaveLength(operations);
});

test('a keyword import whose answer is lost is not complete, and is not sent again', async () => {
  const { mock, client } = setUp();
  mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords' });
  const words = join(__dirname, 'data/keywords.txt');
  expect(await importKeywords(client, 'demo-site', words, false)).toBe(false);
  expect(await importKeywords(client, 'demo-site', words, false)).toBe(false);
  expect(mock.requests.list().filter(({ operation }) => operation === 'addSeoKeywords')).toHaveLength(1);
  expect(await importKeywords(client, 'demo-site', words, true)).toBe(true);
});
