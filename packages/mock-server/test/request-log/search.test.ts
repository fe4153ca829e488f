import { expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';

const setUp = async () => {
  const mock = createMock({ rateLimit: 'off' });
  const caller = new Caller(mock);
  await caller.apply({ action: 'create-tags', data: { ...data.tags, name: 'Summer 4711' } });
  await caller.keywords('demo-site', { keywords: ['春の sale', 'boots'] });
  await caller.read({ resource: 'tags' });
  mock.faults.arm({ effect: 'lose-response', operation: 'getAccount' });
  await caller.me().catch(() => undefined);
  return { mock, caller };
};

it.each([
  ['a name in the body of a request', 'summer', [1, 3]],
  ['a keyword in another script', '春の', [2]],
  ['a text of an answer', 'vip', [3]],
  ['words of entry and body together', 'applied SUMMER', [1]],
  ['an outcome', 'no answer lose-response', [4]],
  ['the name of the key and a status', 'write 201 boots', [2]],
  ['nothing', 'winter', []],
])('a search finds %s', async (_name, search, expected) => {
  const { mock } = await setUp();
  expect(mock.requests.list({ search }).map(({ id }) => id)).toEqual(expected);
});

it('a search finds letters that a client escaped', async () => {
  const { mock } = await setUp();
  const body = '{"operationId":"x","change":{"action":"create-tags","data":{"name":"\\u6625"}}}';
  await mock.fetch(`${mock.baseUrl}/chat/changes`, { method: 'POST', body });
  expect(mock.requests.list({ search: '春', after: 4 })).toHaveLength(1);
});

it('a search goes with the other parameters, over HTTP too', async () => {
  const { mock } = await setUp();
  const ask = async (query: string) => {
    const response = await mock.fetch(`${mock.controlUrl}/requests?${query}`);
    return { status: response.status, body: (await response.json()) as { requests: { id: number }[] } };
  };
  const found = await ask('search=summer&after=1&limit=1');
  expect(found.body.requests.map(({ id }) => id)).toEqual([3]);
  expect((await ask('last=2')).body.requests.map(({ id }) => id)).toEqual([3, 4]);
  expect((await ask('search=summer&last=1')).body.requests.map(({ id }) => id)).toEqual([3]);
  expect((await ask('last=3&limit=1')).body.requests.map(({ id }) => id)).toEqual([2]);
  expect((await ask('last=9')).body.requests).toHaveLength(4);
  expect((await ask('last=0')).status).toBe(400);
  expect((await ask(`search=${'x'.repeat(201)}`)).status).toBe(400);
  // A text of digits is a word too.
  expect((await ask('search=4711')).body.requests.map(({ id }) => id)).toEqual([1, 3]);
});
