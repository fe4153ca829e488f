import { createMock, generateSeed } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { createClient } from '../../src/index.ts';
import { oneRound, visibleCursor } from '../../test-support/one-round.ts';

test('of 100,000 friends, those who write are noticed in a request per account and one per friend', async () => {
  const mock = createMock({ rateLimit: 'off', seed: generateSeed({ friends: 100_000 }) });
  const { baseUrl, fetch } = mock;
  const client = createClient({ baseUrl, fetch, apiKey: 'demo-write-key', pacing: false });
  const cursor = visibleCursor();
  const count = async (): Promise<readonly [texts: unknown[], requests: number]> => {
    const before = mock.requests.list().length;
    const events = await oneRound(client, { messages: true }, cursor);
    const texts = events.map((event) => (event.type === 'message' ? event.record.text : event.type));
    return [texts, mock.requests.list().length - before];
  };
  await count();
  // The first round of a watch also reads the key, the list of all accounts, which is limited, and the accounts.
  const accounts = (await client.accounts.list()).records.length;
  expect(accounts).toBeLessThan(10);
  expect(await count()).toEqual([[], 3 + accounts]);
  const friends = mock.records({ resource: 'friends', offset: 50_000, limit: 3 }).records;
  friends.forEach(({ accountId, userId }, n) => {
    mock.clock.advance(1_000);
    mock.inject.message({ accountId: String(accountId), userId: String(userId) }, { text: `${n}` });
  });
  expect(await count()).toEqual([['0', '1', '2'], 3 + accounts + friends.length]);
  expect(await count()).toEqual([[], 3 + accounts]);
  expect(cursor.stored?.length).toBeLessThan(1_000_000);
});
