import { expect, test } from 'vitest';
import { account, applied, json, record, scripted } from '../../test-support/servers/scripted.ts';
import { getRequestId } from '../index.ts';

const vip = { name: 'VIP', color: 'pink' } as const;

const answeredWith = (body: unknown) => scripted([json(body)]).client;
const list = { records: [record], total: 1, limited: false };
const keywords = { added: ['a'], skipped: [] };

test.each<[string, () => Promise<object | undefined>]>([
  ['account()', async () => answeredWith(account).account()],
  ['get()', async () => answeredWith({ record }).tags.get(record.id)],
  ['a page', async () => answeredWith(list).tags.list()],
  ['find()', async () => answeredWith(list).tags.find(vip)],
  ['readChat()', async () => answeredWith(list).readChat({ resource: 'tags' })],
  ['keywords.add()', async () => answeredWith(keywords).keywords.add('site', { keywords: ['a'] })],
  ['create()', async () => scripted([applied]).client.tags.create(vip)],
  ['the record that create() made', async () => (await scripted([applied]).client.tags.create(vip)).result],
  ['upsert()', async () => answeredWith(list).tags.upsert(vip, { by: 'name' })],
  ['edit()', async () => scripted([json({ record }), applied]).client.tags.edit(record.id, (data) => data)],
  [
    'operations.resume()',
    async () => {
      const { client } = scripted([applied]);
      const { operationId } = await client.tags.create(vip);
      return client.operations.resume(operationId);
    },
  ],
])('the request id of %s is known from the result, without another call', async (_, call) => {
  const result = await call();
  expect(getRequestId(result)).toBe('req-200');
  // The result itself is what the server sent.
  expect(JSON.stringify(result)).not.toContain('req-200');
});

test('each page of an iteration has the request id of its own answer', async () => {
  const other = { ...record, id: '7f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21' };
  const page = { records: [record], total: 2, limited: true };
  const { client } = scripted([
    json(page, 200, { 'x-request-id': 'first' }),
    json({ ...page, records: [other], limited: false }, 200, { 'x-request-id': 'second' }),
  ]);
  const ids: unknown[] = [];
  for await (const one of client.tags.list({ limit: 1 }).pages()) ids.push(getRequestId(one));
  expect(ids).toEqual(['first', 'second']);
});

test('an answer without a request id, and any other object, have none', async () => {
  const { client } = scripted([() => Response.json(account)]);
  expect(getRequestId(await client.account())).toBeUndefined();
  expect(getRequestId({})).toBeUndefined();
  expect(getRequestId(undefined)).toBeUndefined();
});
