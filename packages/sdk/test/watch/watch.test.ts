import type { Mock } from '@orgchat/mock-server';
import { describe, expect, test } from 'vitest';
import { memoryCursor, type WatchEvent, type WatchTargets } from '../../src/index.ts';
import { mocked } from '../../test-support/mocked.ts';
import { oneRound, small, texts, visibleCursor } from '../../test-support/one-round.ts';
import { getRejection } from '../../test-support/rejection.ts';

const resources = (mock: Mock, from: number): unknown[] =>
  mock.requests
    .list()
    .slice(from)
    .map(({ resource }) => resource ?? 'me');

test('delivers what is new since it began: incoming messages, submissions and clicks, oldest first', async () => {
  const { mock, client, friends } = small(50);
  const [one, two] = friends;
  if (!one || !two) throw new Error('the demo has no friends');
  const [form] = (await client.forms.list()).records;
  const [link] = (await client.links.list()).records;
  if (!form || !link) throw new Error('the demo has no form and no link');
  const targets = {
    messages: true,
    submissions: [form.id.toUpperCase(), form.id],
    clicks: [link.id],
  } as const;
  const cursor = visibleCursor();
  expect(await oneRound(client, targets, cursor)).toEqual([]);
  mock.clock.advance(1_000);
  const at = () => mock.clock.read().iso;
  const made: [unknown, string][] = [];
  for (const text of ['a', 'b']) {
    for (const friend of [one, two]) {
      mock.clock.advance(1_000);
      made.push([mock.inject.message(friend, { text }).id, at()]);
    }
    mock.inject.message(one, { text: 'an answer', direction: 'outgoing' });
    mock.clock.advance(1_000);
    made.push([mock.inject.submission(form.id, { values: {}, ...one }).id, at()]);
    made.push([mock.inject.click(link.id).id, at()]);
  }
  const events = await oneRound(client, targets, cursor);
  expect(events.map((event) => event.type !== 'gap' && event.id)).toEqual(made.map(([made]) => made));
  expect(events[0]).toMatchObject({
    type: 'message',
    friend: one,
    record: { text: 'a', direction: 'incoming' },
  });
  expect(events[2]).toMatchObject({ type: 'submission', friend: one, record: { formId: form.id } });
  expect(events[3]).toMatchObject({ type: 'click', friend: undefined, record: { linkId: link.id } });
  for (const event of events) expect(event.type !== 'gap' && event.at).toMatch(/^\d{4}-.*Z$/);
  expect(await oneRound(client, targets, cursor)).toEqual([]);
});

test('with since: all, delivers what the API still shows, and says what it may not show', async () => {
  const { mock, client, friends } = small(3);
  const [friend] = friends;
  if (!friend) throw new Error('the demo has no friends');
  for (let n = 1; n <= 4; n++) mock.inject.message(friend, { text: `${n}` });
  const targets = { messages: { accountId: friend.accountId } };
  const events = await oneRound(client, targets, visibleCursor(), { since: 'all' });
  expect(events[0]).toMatchObject({ type: 'gap', resource: expect.any(String), since: null });
  expect(events).toContainEqual({ type: 'gap', resource: 'messages', since: null, friend });
  const own = events.filter((event) => event.type === 'message' && event.friend.userId === friend.userId);
  expect(texts(own)).toEqual(['2', '3', '4']);
});

test('the cursor moves when the next event is asked for', async () => {
  const { mock, client, friends } = small(50);
  const cursor = visibleCursor();
  await oneRound(client, { messages: true }, cursor);
  for (const text of ['1', '2', '3'])
    mock.inject.message(friends[0] ?? { accountId: '', userId: '' }, { text });
  const seen: WatchEvent[] = [];
  for await (const event of client.watch({ messages: true }, { cursor })) {
    seen.push(event);
    if (seen.length === 2) break;
  }
  expect(texts(seen)).toEqual(['1', '2']);
  expect(texts(await oneRound(client, { messages: true }, cursor))).toEqual(['2', '3']);
});

describe('requests of a round in which nothing changed', () => {
  test('one for messages, one per form and one per link', async () => {
    const { mock, client } = small(50);
    const forms = (await client.forms.list()).records.map((form) => form.id);
    const links = (await client.links.list()).records.map((link) => link.id);
    const targets: WatchTargets = { messages: true, submissions: forms, clicks: links };
    const cursor = visibleCursor();
    await oneRound(client, targets, cursor);
    const before = mock.requests.list().length;
    await oneRound(client, targets, cursor);
    expect(resources(mock, before)).toEqual([
      'me',
      'conversations',
      ...forms.map(() => 'form-submissions'),
      ...links.map(() => 'link-clicks'),
    ]);
  });

  test('one per account if the list is limited', async () => {
    const { mock, client } = small(2);
    const end = new AbortController();
    const options = { everyMs: 1, onWarning: () => undefined, signal: end.signal };
    const next = getRejection(client.watch({ messages: true }, options).next());
    const isQuiet = () => resources(mock, 0).filter((one) => one === 'conversations').length >= 9;
    while (!isQuiet()) await new Promise((resolve) => setTimeout(resolve, 1));
    end.abort();
    expect(await next).toMatchObject({ code: 'ABORTED' });
    const accounts = mock.records({ resource: 'accounts' }).records.length;
    expect(accounts).toBe(2);
    // The key, the list of all accounts, the accounts, and then a list per account.
    expect(resources(mock, 0).slice(0, 9)).toEqual([
      ...['me', 'conversations', 'accounts'],
      ...Array.from({ length: 3 * accounts }, () => 'conversations'),
    ]);
  });
});

describe('a gap', () => {
  test('if all messages of a conversation are new, and if all conversations changed', async () => {
    const { mock, client, friends } = small(3);
    const [friend] = friends;
    if (!friend) throw new Error('the demo has no friends');
    const targets = { messages: { accountId: friend.accountId } };
    const { accountId } = friend;
    const others = ['a', 'b', 'c', 'd'].map((displayName) => ({
      accountId,
      userId: String(mock.inject.friend({ accountId, displayName }).userId),
    }));
    for (const one of others) mock.inject.message(one, { text: 'before' });
    const cursor = visibleCursor();
    await oneRound(client, targets, cursor);
    const [last = friend] = others.slice(-1);
    for (let n = 1; n <= 3; n++) mock.inject.message(last, { text: `${n}` });
    expect(texts(await oneRound(client, targets, cursor))).toEqual(['gap', '1', '2', '3']);
    const since = mock.clock.read().iso;
    for (const one of others) mock.inject.message(one, { text: 'after' });
    const [gap, ...rest] = await oneRound(client, targets, cursor);
    expect(gap).toMatchObject({ type: 'gap', resource: 'conversations', friend: undefined });
    expect(gap?.type === 'gap' && gap.since && gap.since <= since).toBe(true);
    expect(texts(rest)).toEqual(['after', 'after', 'after']);
  });

  test('if an account or a form is gone, once; what came in the meantime is delivered when it is back', async () => {
    const { mock, client, friends } = small(50);
    const form = await client.forms.find({ name: (await client.forms.list()).records[0]?.name ?? '' });
    const [friend] = friends;
    if (!form || !friend) throw new Error('the demo has no form and no friend');
    const conversations = (await client.conversations.list({ accountId: friend.accountId })).records.length;
    const targets = { messages: true, submissions: [form.id] } as const;
    const cursor = visibleCursor();
    await oneRound(client, targets, cursor);
    const others = mock
      .records({ resource: 'accounts' })
      .records.map(({ id }) => String(id))
      .filter((one) => one !== friend.accountId);
    mock.patchKey('demo-write-key', { accountIds: others });
    mock.inject.message(friend, { text: 'while it was away' });
    const gaps = await oneRound(client, targets, cursor);
    const ofMessages = gaps.filter((event) => event.type === 'gap' && event.resource === 'messages');
    expect(ofMessages).toHaveLength(conversations);
    expect(ofMessages).toContainEqual(expect.objectContaining({ friend, since: expect.any(String) }));
    expect(await oneRound(client, targets, cursor)).toEqual([]);
    mock.patchKey('demo-write-key', { accountIds: null });
    expect(texts(await oneRound(client, targets, cursor))).toEqual(['while it was away']);
    await client.forms.delete(await client.forms.get(form.id));
    const [gone, ...rest] = await oneRound(client, targets, cursor);
    expect([gone, rest]).toMatchObject([{ type: 'gap', resource: 'form-submissions' }, []]);
    expect(await oneRound(client, targets, cursor)).toEqual([]);
  });

  test('if the clock of the server was set back', async () => {
    const { mock, client, friends } = small(50);
    const cursor = visibleCursor();
    mock.clock.advance(1);
    await oneRound(client, { messages: true }, cursor);
    mock.clock.move({ now: mock.clock.read().now - 60_000 });
    mock.inject.message(friends[0] ?? { accountId: '', userId: '' }, { text: 'earlier' });
    const [gap, ...rest] = await oneRound(client, { messages: true }, cursor);
    expect(gap).toEqual({ type: 'gap', resource: 'messages', since: null, friend: undefined });
    expect(texts(rest)).toEqual(['earlier']);
    expect(await oneRound(client, { messages: true }, cursor)).toEqual([]);
  });
});

test('a second watcher of a cursor is refused before anything is sent', async () => {
  const { mock, client } = mocked();
  const cursor = memoryCursor();
  const open = await cursor.open();
  const error = await getRejection(client.watch({ messages: true }, { cursor }).next());
  expect(error).toMatchObject({ name: 'ConflictError', code: 'CURSOR_IN_USE' });
  expect(mock.requests.list()).toEqual([]);
  await open.close();
});

test('a watcher that lost its cursor stops before the next event', async () => {
  const { mock, client, friends } = small(50);
  const cursor = visibleCursor();
  await oneRound(client, { messages: true }, cursor);
  for (const text of ['1', '2']) mock.inject.message(friends[0] ?? { accountId: '', userId: '' }, { text });
  const watch = client.watch({ messages: true }, { cursor });
  expect(texts([(await watch.next()).value as WatchEvent])).toEqual(['1']);
  cursor.onSave = () => {
    throw new Error('the row is gone');
  };
  expect(await getRejection(watch.next())).toMatchObject({
    code: 'CURSOR_FAILED',
    message: 'The cursor could not be read or written: the row is gone',
  });
});

test('a cursor of another organization is refused', async () => {
  const { client } = mocked();
  const cursor = visibleCursor();
  await oneRound(client, { messages: true }, cursor);
  cursor.stored = cursor.stored?.replace('org_demo', 'org_other');
  const error = await getRejection(client.watch({ messages: true }, { cursor }).next());
  expect(error).toMatchObject({ code: 'INVALID_INPUT' });
  expect(error.message).toContain('org_other');
});

test('an outage ends a watch only in its first round', async () => {
  const { mock, client, friends } = small(50);
  const outage = { effect: 'respond', status: 500, resource: 'conversations', times: 8 } as const;
  mock.faults.arm({ ...outage, times: 4 });
  expect(await getRejection(client.watch({ messages: true }).next())).toMatchObject({ status: 500 });
  const watch = client
    .with({ retry: false })
    .watch({ messages: true }, { everyMs: 5, onWarning: () => undefined });
  const first = watch.next();
  while (!resources(mock, 0).includes('conversations'))
    await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  mock.faults.arm(outage);
  mock.inject.message(friends[0] ?? { accountId: '', userId: '' }, { text: 'in the outage' });
  expect(texts([(await first).value as WatchEvent])).toEqual(['in the outage']);
  await watch.return(undefined);
});

test('a shorter interval warns once, with the figures', async () => {
  const { client } = small(50);
  const warnings: string[] = [];
  const cursor = visibleCursor();
  const onWarning = (message: string): void => void warnings.push(message);
  await oneRound(client, { messages: true }, cursor, { everyMs: 20, onWarning });
  expect(warnings).toEqual([
    expect.stringMatching(/^A round every 20 ms sends \d+ requests .* 3000 of 60 per minute/),
  ]);
});
