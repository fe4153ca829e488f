import { expect, test } from 'vitest';
import { oneRound, small, texts, visibleCursor } from '../../test-support/one-round.ts';

/** Two accounts of the demo, the first with more conversations than a list of three shows. */
function twoAccounts() {
  const world = small(3);
  const { mock } = world;
  const [first = '', second = ''] = mock
    .records({ resource: 'accounts' })
    .records.map(({ id }) => String(id));
  const friends = ['a', 'b', 'c', 'd'].map((displayName) => ({
    accountId: first,
    userId: String(mock.inject.friend({ accountId: first, displayName }).userId),
  }));
  const allWrite = (text: string): void => {
    for (const friend of friends) {
      mock.clock.advance(1_000);
      mock.inject.message(friend, { text });
    }
  };
  allWrite('before');
  return { ...world, first, second, allWrite };
}

test('a gap of conversations covers the rounds that did not read the account', async () => {
  const { mock, client, first, second, allWrite } = twoAccounts();
  const cursor = visibleCursor();
  await oneRound(client, { messages: true }, cursor);
  const { iso } = mock.clock.read();
  allWrite('unseen');
  mock.clock.advance(1_000);
  await oneRound(client, { messages: { accountId: second } }, cursor);
  const [gap, ...rest] = await oneRound(client, { messages: { accountId: first } }, cursor);
  expect(gap).toMatchObject({ type: 'gap', resource: 'conversations', since: expect.any(String) });
  expect(gap?.type === 'gap' && gap.since && gap.since <= iso).toBe(true);
  expect(texts(rest)).toEqual(['unseen', 'unseen', 'unseen']);
});

test('an account may be named in upper case, and a form or a link is the same in any case', async () => {
  const { mock, client, first } = twoAccounts();
  const link = String(mock.records({ resource: 'links' }).records[0]?.id);
  const cursor = visibleCursor();
  const messages = { accountId: first.toUpperCase() };
  const targets = { messages, clicks: [link.toUpperCase()] };
  await oneRound(client, targets, cursor);
  mock.inject.click(link);
  mock.patchKey('demo-write-key', { accountIds: [] });
  const events = await oneRound(client, { messages, clicks: [link] }, cursor);
  expect(texts(events)).toEqual(['gap', 'gap', 'gap', 'click']);
  expect(await oneRound(client, targets, cursor)).toEqual([]);
});
