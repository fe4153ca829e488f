import { expect, test } from 'vitest';
import { toLiteral, toSdkCode } from './sdk-code.ts';

const request = (body: unknown) => ({
  query: '',
  headers: {},
  body,
  bodyBytes: 1,
  bodyKept: 'complete' as const,
});
const lastLines = (
  operation: Parameters<typeof toSdkCode>[0]['operation'],
  body: unknown,
  path = '/',
): string =>
  toSdkCode({ operation, path, request: request(body) })
    ?.split('\n')
    .slice(3)
    .join('\n') ?? '';

const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

test('a create uses the resource object and the same operationId', () => {
  const change = { action: 'create-rich-menus', data: { name: 'VIP' } };
  expect(lastLines('changeChat', { operationId, change })).toBe(
    `await client.richMenus.create({ name: 'VIP' }, { operationId: '${operationId}' });`,
  );
});

test('other changes are sent as they were', () => {
  const change = { action: 'set-friend-tags', accountId: 'a', userId: 'U1', tagIds: [] };
  expect(lastLines('changeChat', { operationId, change })).toBe(
    `await client.changeChat({ action: 'set-friend-tags', accountId: 'a', userId: 'U1', tagIds: [] }, { operationId: '${operationId}' });`,
  );
});

test.each([
  [{ resource: 'tags' }, 'await client.tags.list();'],
  [{ resource: 'auto-replies', limit: 5 }, 'await client.autoReplies.list({ limit: 5 });'],
  [{ resource: 'tags', id: 'x' }, "await client.tags.get('x');"],
  [{ resource: 'friends', search: 'a' }, "await client.readChat({ resource: 'friends', search: 'a' });"],
])('a read of %j', (body, expected) => {
  expect(lastLines('readChat', body)).toBe(expected);
});

test('account, Studio and keywords have calls of their own', () => {
  expect(lastLines('getAccount', null)).toBe('await client.account();');
  expect(lastLines('readStudio', { resource: 'projects' })).toBe(
    "await client.readStudio({ resource: 'projects' });",
  );
  expect(lastLines('addSeoKeywords', { keywords: ['a'] }, '/sites/demo%2Dsite/keywords')).toBe(
    "await client.addKeywords('demo-site', { keywords: ['a'] });",
  );
});

test('a request that is not one of the API, or has no JSON body, has no code', () => {
  expect(toSdkCode({ operation: null, path: '/x', request: request({}) })).toBeUndefined();
  expect(toSdkCode({ operation: 'changeChat', path: '/', request: request('{') })).toBeUndefined();
  expect(toSdkCode({ operation: 'changeChat', path: '/', request: request({ change: 1 }) })).toBeUndefined();
});

test.each([
  "it's",
  'a\\b "c"',
  'a\nb\u2028',
  { 'a-b': 1, __proto__x: [null, true, { deep: 'x'.repeat(100) }] },
  JSON.parse('{"__proto__": {"a": 1}}') as unknown,
  [],
  {},
])('the literal of %j is its value', (value) => {
  const evaluate = new Function(`return (${toLiteral(value)});`) as () => unknown;
  expect(JSON.stringify(evaluate())).toBe(JSON.stringify(value));
});
