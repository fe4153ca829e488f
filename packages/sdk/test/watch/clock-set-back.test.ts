import { expect, test } from 'vitest';
import { oneRound, small, texts, visibleCursor } from '../../test-support/one-round.ts';

const clockGap = (resource: string) => ({ type: 'gap', resource, since: null, friend: undefined });

test('after a set-back and a quiet round, a full page of new clicks is delivered', async () => {
  const { mock, client } = small(3);
  const link = String(mock.records({ resource: 'links' }).records[0]?.id);
  const click = (count: number): unknown[] =>
    Array.from({ length: count }, () => {
      mock.clock.advance(1_000);
      return mock.inject.click(link).id;
    });
  click(5);
  const cursor = visibleCursor();
  expect(await oneRound(client, { clicks: [link] }, cursor)).toEqual([]);
  mock.clock.move({ now: mock.clock.read().now - 3_600_000 });
  expect(await oneRound(client, { clicks: [link] }, cursor)).toEqual([clockGap('link-clicks')]);
  const lost = mock.clock.read().iso;
  const ids = click(5).slice(-3);
  const [gap, ...clicks] = await oneRound(client, { clicks: [link] }, cursor);
  expect(gap).toMatchObject({ type: 'gap', resource: 'link-clicks', since: expect.any(String) });
  expect(gap?.type === 'gap' && gap.since && gap.since <= lost).toBe(true);
  expect(clicks).toMatchObject(ids.map((id) => ({ type: 'click', id })));
  expect(await oneRound(client, { clicks: [link] }, cursor)).toEqual([]);
});

test('after a set-back and a quiet round, a friend whom the cursor does not know is delivered', async () => {
  const { mock, client, friends } = small(3);
  const { accountId = '' } = friends[0] ?? {};
  const targets = { messages: { accountId } };
  const add = (displayName: string): void => {
    mock.clock.advance(1_000);
    const { userId } = mock.inject.friend({ accountId, displayName });
    mock.inject.message({ accountId, userId: String(userId) }, { text: displayName });
  };
  for (const name of ['a', 'b', 'c', 'd']) add(name);
  const cursor = visibleCursor();
  await oneRound(client, targets, cursor);
  mock.clock.move({ now: mock.clock.read().now - 3_600_000 });
  expect(await oneRound(client, targets, cursor)).toEqual([clockGap('messages')]);
  add('new');
  expect(texts(await oneRound(client, targets, cursor))).toContain('new');
  expect(await oneRound(client, targets, cursor)).toEqual([]);
});

test('a watch that begins after a set-back delivers what comes then', async () => {
  const { mock, client, friends } = small(50);
  const [friend] = friends;
  if (!friend) throw new Error('the demo has no friends');
  mock.inject.message(friend, { text: 'before' });
  mock.clock.move({ now: mock.clock.read().now - 3_600_000 });
  const cursor = visibleCursor();
  expect(await oneRound(client, { messages: true }, cursor)).toEqual([]);
  mock.clock.advance(60_000);
  mock.inject.message(friend, { text: 'after' });
  expect(texts(await oneRound(client, { messages: true }, cursor))).toEqual(['after']);
});

test('of a set-back that is over before the next round, what came of friends and links that the cursor knows is delivered', async () => {
  const { mock, client, friends } = small(50);
  const [friend] = friends;
  if (!friend) throw new Error('the demo has no friends');
  const link = String(mock.records({ resource: 'links' }).records[0]?.id);
  const targets = { messages: true, clicks: [link] } as const;
  const cursor = visibleCursor();
  mock.inject.message(friend, { text: 'before' });
  await oneRound(client, targets, cursor);
  const { accountId } = friend;
  const stranger = { accountId, userId: String(mock.inject.friend({ accountId, displayName: 'A' }).userId) };
  const { now } = mock.clock.read();
  mock.clock.move({ now: now - 3_600_000 });
  mock.inject.message(friend, { text: 'of a friend' });
  mock.inject.message(stranger, { text: 'of a stranger' });
  mock.inject.click(link);
  mock.clock.move({ now: now + 60_000 });
  // The time of the stranger's message is earlier than the watch.
  expect(texts(await oneRound(client, targets, cursor)).toSorted()).toEqual(['click', 'of a friend']);
  mock.inject.message(stranger, { text: 'later' });
  expect(texts(await oneRound(client, targets, cursor))).toEqual(['later']);
});
