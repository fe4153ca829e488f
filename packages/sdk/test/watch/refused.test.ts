import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { WatchEvent } from '../../src/index.ts';
import { clock } from '../../test-support/clock.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { failure, json, scripted } from '../../test-support/servers/scripted.ts';

/* What watch() refuses: arguments before anything is sent, and lists of a server that it cannot use. */

const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

test.each<[string, unknown[], string]>([
  ['no targets', [undefined], 'got undefined'],
  ['nothing to watch', [{}], 'nothing to watch'],
  ['no ids', [{ submissions: [], clicks: [] }], 'nothing to watch'],
  ['false', [{ messages: false }], 'messages must be true'],
  ['an unknown target', [{ mesages: true }], '"mesages" is not an option'],
  ['an unknown field of messages', [{ messages: { account: id } }], '"account" is not an option'],
  ['an account that is not a UUID', [{ messages: { accountId: 'main' } }], 'must be a UUID; got "main"'],
  ['a form that is not a UUID', [{ submissions: ['survey'] }], 'must be a UUID; got "survey"'],
  ['ids that are not an array', [{ clicks: id }], 'clicks must be an array'],
  ['an interval of 0', [{ messages: true }, { everyMs: 0 }], 'everyMs must be a number'],
  ['an interval that is not finite', [{ messages: true }, { everyMs: Infinity }], 'everyMs must be a number'],
  ['an unknown beginning', [{ messages: true }, { since: 'yesterday' }], "since must be 'now' or 'all'"],
  ['the name of a cursor', [{ messages: true }, { cursor: 'inbox' }], 'cursor must be a cursor'],
  ['a wrong callback', [{ messages: true }, { onWarning: true }], 'onWarning must be a function'],
  ['an unknown option', [{ messages: true }, { every: 5 }], '"every" is not an option of watch()'],
  ['options that are not an object', [{ messages: true }, 60_000], 'requires its options as an object'],
])('%s is refused before anything is sent', async (_name, given, why) => {
  const { client, sent } = scripted([failure(500, 'X')]);
  const watch = client.watch as (...given: unknown[]) => AsyncGenerator<WatchEvent>;
  const error = await getRejection(watch(...given).next());
  expect(error.message).toContain(why);
  expect(['INVALID_INPUT', 'INVALID_OPTIONS']).toContain(error.code);
  expect(sent).toEqual([]);
});

describe('a list that watch() cannot use', () => {
  const me = json({
    organizationId: 'o',
    key: { name: 'Bot', scope: 'read' },
    plan: 'business',
    credits: { allowance: 1, used: 0, remaining: 1, resetsAt: '2026-01-01T00:00:00Z' },
    api: { used: 0, limit: 1_000, perMinute: 60 },
  });
  const friend = { accountId: id, userId: `U${'0'.repeat(32)}` };
  const list = (...records: object[]) => json({ records, total: records.length, limited: false });
  const row = (n: number) => ({
    ...friend,
    userId: `U${`${n}`.repeat(32)}`,
    lastMessageAt: `2026-01-0${n}T00:00:00Z`,
  });

  test.each([
    ['conversations without any date and time', [list({ ...friend, lastMessageText: 'Hello' })]],
    ['conversations that begin with the oldest', [list(row(1), row(2), row(3))]],
    [
      'messages without an id',
      [list(row(1)), list({ direction: 'incoming', sentAt: '2026-01-01T00:00:00Z' })],
    ],
    ['messages without a direction', [list(row(1)), list({ id, sentAt: '2026-01-01T00:00:00Z' })]],
    ['messages without a time', [list(row(1)), list({ id, direction: 'incoming' })]],
  ])('%s', async (_name, answers) => {
    const { client } = scripted([me, ...answers]);
    const error = await getRejection(client.watch({ messages: true }, { since: 'all' }).next());
    expect(error).toMatchObject({ name: 'ServerError', code: 'UNEXPECTED_SHAPE' });
  });

  test('accounts that fill a page which does not say whether there are more', async () => {
    const { client } = scripted(
      [me, json({ records: [row(2), row(1)] }), json({ records: [{ id }, { id }] })],
      {
        server: { server: 1, limits: { pageSize: 2 } },
      },
    );
    const error = await getRejection(client.watch({ messages: true }).next());
    expect(error).toMatchObject({ code: 'INVALID_INPUT' });
    expect(error.message).toContain('The list of accounts shows 2, and may not show all');
  });

  test('one that is described as not newest first is refused before anything is sent', async () => {
    const server = { server: 1, shapes: { list: { order: 'oldest' } } } as const;
    const { client, sent } = scripted([me], { server });
    expect(await getRejection(client.watch({ clicks: [id] }).next())).toMatchObject({
      code: 'UNEXPECTED_SHAPE',
      reason: 'shapes.list.order',
    });
    expect(sent).toEqual([]);
  });

  test('a conversation may have its time in another field', async () => {
    const { lastMessageAt, ...other } = row(2);
    const { client } = scripted([
      me,
      list({ ...other, changed: lastMessageAt }),
      list({ id, direction: 'incoming', sentAt: '2026-01-01T00:00:00Z' }),
    ]);
    const { value } = await client.watch({ messages: true }, { since: 'all' }).next();
    expect(value).toMatchObject({ type: 'message', id, at: '2026-01-01T00:00:00.000Z' });
  });

  test('a time of another field is not taken for that of the last message', async () => {
    const { lastMessageAt, ...other } = row(2);
    // It is when the conversation began: the time of its first message.
    const createdAt = lastMessageAt;
    const first = Date.parse(createdAt);
    const message = (n: number, time: number) => ({
      id: id.replace(/^./, `${n}`),
      direction: 'incoming',
      sentAt: new Date(time).toISOString(),
    });
    const old = [message(3, first + 2_000), message(2, first + 1_000), message(1, first)];
    const { client } = scripted([
      me,
      list({ ...other, createdAt, text: 'old' }),
      list({ ...other, createdAt, text: 'new' }),
      list(message(4, Date.now() + 1_000), ...old),
      list({ ...other, createdAt, text: 'new' }),
    ]);
    vi.useFakeTimers({ toFake: [...clock.toFake] });
    onTestFinished(() => void vi.useRealTimers());
    const events = client.watch({ messages: true }, { everyMs: 60_000 });
    const next = events.next();
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await next).value).toMatchObject({ type: 'message', id: message(4, 0).id });
    await events.return(undefined);
  });
});
