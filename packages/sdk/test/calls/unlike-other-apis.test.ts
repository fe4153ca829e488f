import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient, OutcomeUnknownError } from '../../src/index.ts';
import { atEachDoor } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { json, scripted } from '../../test-support/servers/scripted.ts';

/* What a user of other APIs, runtimes and servers may expect otherwise. */

atEachDoor((at) => {
  describe('each change makes a new revision, also one that changes no data', () => {
    test('of a configuration', async () => {
      const { tags } = at.client;
      const data = { name: 'Same', color: 'pink' } as const;
      const created = await tags.create(data).requireResult();
      const updated = await tags.update(created, data).requireResult();
      const edited = await tags.edit(updated, (before) => before).requireResult();
      expect(new Set([created, updated, edited].map(({ revision }) => revision)).size).toBe(3);
      const { outcome, record } = await tags.upsert(data, { by: 'name' });
      expect([outcome, record.revision]).toEqual(['unchanged', edited.revision]);
    });

    test('of the tags of a friend', async () => {
      const [friend] = (await at.client.friends.list({ limit: 1 })).records;
      const tag = await at.client.tags.create({ name: 'Same', color: 'pink' }).requireResult();
      const once = await at.client.friends.addTags(friend, [tag.id]).requireResult();
      const twice = await at.client.friends.addTags(friend, [tag.id]).requireResult();
      expect(twice.tagIds).toEqual(once.tagIds);
      expect(twice.revision).not.toBe(once.revision);
    });
  });

  test.each([
    ['id', { operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21' }],
    ['intent', { intent: ['order', 17] }],
  ])('a refused change frees its %s', async (_, options) => {
    const wrong = { name: '', color: 'pink' } as const;
    expect(await getRejection(at.client.tags.create(wrong, options))).toMatchObject({
      meaning: 'invalidInput',
      outcome: 'refused',
    });
    const { replayed, result } = await at.client.tags.create({ ...wrong, name: 'Fixed' }, options);
    expect([replayed, result?.name]).toEqual([false, 'Fixed']);
  });
});

describe('an error with the status of a success', () => {
  const details = [{ field: 'revision', requestId: 'r-1' }];
  const wrong = { ok: false, error: 'version_mismatch', message: 'Read it again.', details };
  const { client } = scripted(
    Array.from({ length: 4 }, () => json(wrong)),
    { retry: false },
  );

  test('leaves a change unknown, and the error has what the server said', async () => {
    const error = await getRejection(client.tags.create({ name: 'VIP', color: 'pink' }));
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', serverMessage: wrong.message });
    expect(error.message).toContain('an error document and the status of a success');
  });

  test.each([
    ['a record', () => client.tags.get('6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21')],
    ['a list', () => client.tags.list()],
  ])('is said of reading %s, without advice to describe it', async (_, read) => {
    const error = await getRejection(read());
    expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE' });
    expect(error.message).toContain('an error document with the status of a success');
    expect(error.message).not.toContain('describe it with');
  });
});

test.each([
  ['has an empty error', { error: '', message: 'OK', payload: { rows: [] } }],
  ['has rows', { error: 'NONE', message: 'OK', payload: { rows: [{ id: 'a' }] } }],
  ['has rows of friends', { error: 'NONE', message: 'OK', rows: [{ account_id: 'a', user_id: 'b' }] }],
])('an answer in another frame, which %s, is to be described', async (_, body) => {
  const { client } = scripted([json(body)]);
  const error = await getRejection(client.tags.list());
  expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE' });
  expect(error.message).toContain('describe it with shapes.list.records');
  expect(error.message).not.toContain('error document');
});

test('a write to a server that sends 100 Continue unasked is unknown', async () => {
  let requests = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      requests++;
      socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const client = createClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}/api/v1`, retry: false });
  const error = await getRejection(client.tags.create({ name: 'VIP', color: 'pink' }));
  expect(error).toBeInstanceOf(OutcomeUnknownError);
  expect(error).toMatchObject({ reason: 'CONNECTION_LOST' });
  expect(requests).toBe(1);
});
