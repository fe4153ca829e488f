import { expect, test } from 'vitest';
import { createClient } from '../../src/index.ts';
import { oneRound, small, texts, visibleCursor } from '../../test-support/one-round.ts';

type Row = Readonly<Record<string, unknown>>;
type Query = { readonly resource?: string; readonly accountId?: string };

/** A server whose lists of messages do not show yet what has the text `late`. */
function serveLate(pageSize: number, change: (row: Row, query: Query) => Row = (row) => row) {
  const { mock, friends } = small(pageSize);
  mock.clock.move({ now: Math.ceil(mock.clock.read().now / 1_000) * 1_000, frozen: true });
  const server = { isLate: true, beforeRead: (_: Query): void => undefined };
  const reads: Query[] = [];
  const fetch = async (request: Request) => {
    const query = JSON.parse((await request.clone().text()) || '{}') as Query;
    const { resource = '' } = query;
    if (resource) reads.push(query);
    server.beforeRead(query);
    const answer = await mock.fetch(request);
    if (!['messages', 'conversations'].includes(resource)) return answer;
    const page = (await answer.json()) as { readonly records: readonly Row[] };
    const shown = page.records.filter(({ text }) => !server.isLate || text !== 'late');
    const records = shown.map((row) => change(row, query));
    return Response.json({ ...page, records }, { headers: answer.headers });
  };
  const client = createClient({ baseUrl: mock.baseUrl, fetch, apiKey: 'demo-write-key', pacing: false });
  const cursor = visibleCursor();
  const [friend = { accountId: '', userId: '' }] = friends;
  const { accountId } = friend;
  return {
    mock,
    friends,
    friend,
    server,
    /** Friends of the same account who have written something. */
    addFriends: (names: readonly string[]) =>
      names.map((displayName) => {
        mock.clock.advance(1_000);
        const { userId } = mock.inject.friend({ accountId, displayName });
        const one = { accountId, userId: String(userId) };
        mock.inject.message(one, { text: 'before' });
        return one;
      }),
    /** Runs a round, and returns what it delivered and which lists of records it read, after the list of conversations. */
    async round(targets: { readonly messages: true | { readonly accountId: string } } = { messages: true }) {
      reads.length = 0;
      const events = texts(await oneRound(client, targets, cursor));
      return [events, reads.filter(({ resource }) => resource === 'messages').length];
    },
  };
}

test('delivers a message that its list shows later than the list of conversations', async () => {
  const { mock, friends, friend, server, round } = serveLate(50);
  await round();
  mock.clock.advance(1_000);
  mock.inject.message(friend, { text: 'late' });
  expect(await round()).toEqual([[], 1]);
  mock.clock.advance(2_000);
  expect(await round()).toEqual([[], 1]);
  server.isLate = false;
  mock.clock.advance(4_000);
  expect(await round()).toEqual([['late'], 1]);
  mock.clock.advance(60_000);
  expect(await round()).toEqual([[], 0]);
  // One that was taken back is not waited for any longer than some minutes.
  server.isLate = true;
  mock.inject.message(friends[1] ?? friend, { text: 'late' });
  expect(await round()).toEqual([[], 1]);
  mock.clock.advance(6 * 60_000);
  expect(await round()).toEqual([[], 1]);
  mock.clock.advance(6 * 60_000);
  expect(await round()).toEqual([[], 0]);
});

test('waits for what came after one that is shown', async () => {
  const { mock, friend, server, round } = serveLate(50);
  await round();
  mock.inject.message(friend, { text: 'first' });
  mock.clock.advance(10_000);
  mock.inject.message(friend, { text: 'late' });
  expect(await round()).toEqual([['first'], 1]);
  server.isLate = false;
  mock.clock.advance(10_000);
  expect(await round()).toEqual([['late'], 1]);
});

test('a late list of messages does not count as a gap of conversations', async () => {
  const { mock, friend, server, addFriends, round } = serveLate(3);
  const [one = friend, ...others] = addFriends(['a', 'b', 'c', 'd']).slice(-3);
  const targets = { messages: { accountId: friend.accountId } };
  await round(targets);
  mock.clock.advance(1_000);
  for (const other of others) mock.inject.message(other, { text: 'late' });
  expect(await round(targets)).toEqual([[], 2]);
  mock.clock.advance(1_000);
  mock.inject.message(one, { text: 'late' });
  expect((await round(targets))[0]).toEqual([]);
  for (let n = 0; n < 3; n++) {
    mock.clock.advance(20_000);
    expect((await round(targets))[0]).toEqual([]);
  }
  server.isLate = false;
  mock.clock.advance(240_000);
  expect(await round(targets)).toEqual([['late', 'late', 'late'], 3]);
});

test('a message whose list is late is delivered when newer conversations push out its own', async () => {
  const { mock, friend, server, addFriends, round } = serveLate(3);
  const friends = addFriends(['a', 'b', 'c', 'd']);
  const [one = friend, ...others] = friends.slice(-3);
  const targets = { messages: { accountId: friend.accountId } };
  await round(targets);
  mock.inject.message(one, { text: 'late' });
  expect(await round(targets)).toEqual([[], 1]);
  server.isLate = false;
  for (const other of [...others, friends[0] ?? friend]) {
    mock.clock.advance(1_000);
    mock.inject.message(other, { text: 'newer' });
  }
  expect(await round(targets)).toEqual([['gap', 'late', 'newer', 'newer', 'newer'], 4]);
});

test.each([
  ['messages have whole seconds', 'messages', 'sentAt', (time: string) => time.replace(/\.\d+Z/, 'Z')],
  [
    'conversations note a message a moment later',
    'conversations',
    'lastMessageAt',
    (time: string) => new Date(Date.parse(time) + 700).toISOString(),
  ],
])('a message is read once if %s', async (_, changed, field, toTime) => {
  const { mock, friend, round } = serveLate(50, (row, { resource }) =>
    resource === changed ? { ...row, [field]: toTime(String(row[field])) } : row,
  );
  await round();
  mock.clock.advance(1_234);
  mock.inject.message(friend, { text: 'new' });
  expect(await round()).toEqual([['new'], 1]);
  for (let n = 0; n < 10; n++) {
    mock.clock.advance(10_000);
    expect(await round()).toEqual([[], 0]);
  }
});

test('a conversation that changes without a message is read once', async () => {
  let unread = 1;
  const { mock, friend, round } = serveLate(50, (row) => ({ ...row, unread }));
  await round();
  mock.clock.advance(1_234);
  mock.inject.message(friend, { text: 'new' });
  expect((await round())[0]).toEqual(['new']);
  unread = 0;
  mock.clock.advance(10_000);
  const [, count] = await round();
  expect(count).toBeGreaterThan(0);
  mock.clock.advance(10_000);
  expect(await round()).toEqual([[], 0]);
});

test('a message that no list shows is looked for a few times', async () => {
  const { mock, friend, round } = serveLate(50);
  await round();
  mock.clock.advance(1_000);
  mock.inject.message(friend, { text: 'late' });
  const counts: unknown[] = [];
  for (let n = 0; n < 40; n++) {
    counts.push((await round())[1]);
    mock.clock.advance(10_000);
  }
  // After 10, 20, 40, 80 and 160 seconds, and after five minutes.
  expect(counts.flatMap((count, n) => (count === 0 ? [] : [n]))).toEqual([0, 1, 2, 4, 8, 16, 30]);
});

test('waits for a message that came long after the round began', async () => {
  const { mock, friends, friend, server, round } = serveLate(2);
  const other = friends.find(({ accountId }) => accountId !== friend.accountId);
  if (!other) throw new Error('the demo has one account');
  await round();
  await round();
  mock.clock.advance(1_000);
  server.beforeRead = ({ resource, accountId }) => {
    if (resource !== 'conversations' || accountId?.toLowerCase() !== other.accountId.toLowerCase()) return;
    server.beforeRead = () => undefined;
    mock.clock.advance(5_000);
    mock.inject.message(other, { text: 'late' });
  };
  expect(await round()).toEqual([[], 1]);
  server.isLate = false;
  mock.clock.advance(60_000);
  expect(await round()).toEqual([['late'], 1]);
});

test('waits for the second message of a second if conversations have whole seconds', async () => {
  const { mock, friend, server, round } = serveLate(50, (row) =>
    row.lastMessageAt ? { ...row, lastMessageAt: String(row.lastMessageAt).replace(/\.\d+Z/, 'Z') } : row,
  );
  await round();
  mock.clock.advance(5_000);
  mock.inject.message(friend, { text: 'first' });
  expect(await round()).toEqual([['first'], 1]);
  mock.clock.advance(300);
  mock.inject.message(friend, { text: 'late' });
  expect(await round()).toEqual([[], 1]);
  server.isLate = false;
  mock.clock.advance(60_000);
  expect(await round()).toEqual([['late'], 1]);
});
