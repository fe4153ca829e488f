import { expect, test } from 'vitest';
import { getRejection } from '../../test-support/rejection.ts';
import { applied, scripted } from '../../test-support/servers/scripted.ts';
import { InvalidInputError } from '../index.ts';
import { canonicalJson, createTarget, operationIdFrom, parseOperationId } from './operation-id.ts';

test('the same parts give the same id everywhere and always', async () => {
  expect(await operationIdFrom('import', 'customers.csv', 17)).toBe('2cee5df2-19e6-5a2b-a5ec-ba5ec76c2a75');
});

test('it is a UUID of version 5', async () => {
  expect(await operationIdFrom('x')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test('different parts give different ids', async () => {
  const ids = await Promise.all([
    operationIdFrom('a', 'b'),
    operationIdFrom('ab'),
    operationIdFrom('a,b'),
    operationIdFrom(['a', 'b']),
    operationIdFrom(1),
    operationIdFrom('1'),
    operationIdFrom(true),
    operationIdFrom('true'),
    operationIdFrom(null),
    operationIdFrom({ a: 1, b: 2 }),
    operationIdFrom({ a: 1, b: 3 }),
  ]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the order of keys does not matter', async () => {
  expect(await operationIdFrom({ a: 1, b: { c: 2, d: 3 } })).toBe(
    await operationIdFrom({ b: { d: 3, c: 2 }, a: 1 }),
  );
});

test('an intent without parts is refused', async () => {
  await expect(operationIdFrom()).rejects.toThrow(/must have at least one part/);
});

const circle: unknown[] = [];
circle.push(circle);
class Row {}

test.each<[string, unknown, string]>([
  ['NaN', Number('row'), 'intent[1] must be a string, a finite number'],
  ['Infinity', Infinity, 'got Infinity.'],
  ['undefined', undefined, 'got undefined.'],
  ['an undefined field', { row: { key: undefined } }, 'intent[1].row.key must be'],
  ['a hole of an array', [1, new Array(1)], 'intent[1][1][0] must be'],
  ['a Map', new Map([['a', 1]]), 'got an instance of Map.'],
  ['a Set', new Set([1]), 'got an instance of Set.'],
  ['a Date', new Date(0), 'got an instance of Date.'],
  ['an instance of a class', new Row(), 'got an instance of Row.'],
  ['a function', () => 1, 'got a function.'],
  ['a symbol', Symbol('x'), 'got a symbol.'],
  ['a bigint', 1n, 'got 1.'],
  ['a circle', circle, 'got an object that contains itself.'],
])('an intent with %s is refused, because JSON would change it', async (_name, part, message) => {
  const error = await getRejection(operationIdFrom('import', part as string));
  expect(error).toBeInstanceOf(InvalidInputError);
  expect(error.message).toContain(message);
  const { client, sent } = scripted([applied]);
  const vip = { name: 'VIP', color: 'pink' } as const;
  const intent = ['import', part as string];
  for (const call of [
    client.tags.create(vip, { intent }),
    client.tags.edit('id', (data) => data, { intent }),
  ]) {
    expect(await getRejection(call)).toBeInstanceOf(Error);
  }
  expect(sent.filter(({ url }) => url.endsWith('/changes'))).toEqual([]);
});

test('the same object twice is not a cycle, and one without a prototype is plain', async () => {
  const shared = { a: 1 };
  const bare = Object.assign(Object.create(null), shared);
  expect(await operationIdFrom(shared, bare)).toBe(await operationIdFrom({ a: 1 }, { a: 1 }));
});

test('a given id is compared in lower case, and must be one', () => {
  expect(parseOperationId('6F1C2F0E-8A53-4B6E-9A55-0D6F3C1E7B21')).toBe(
    '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
  );
  for (const wrong of [
    '',
    'x',
    '6f1c2f0e8a534b6e9a550d6f3c1e7b21',
    ' 6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
  ]) {
    expect(() => parseOperationId(wrong)).toThrow(/UUID/);
  }
});

test('canonical JSON sorts keys, keeps arrays, drops undefined', () => {
  expect(canonicalJson({ b: [2, 1], a: undefined, c: { z: 1, y: null } })).toBe(
    '{"b":[2,1],"c":{"y":null,"z":1}}',
  );
});

test('a target shows its base URL and not its key', async () => {
  const target = createTarget('https://example.com/api/v1', 'secret-key');
  expect(target).toMatch(/^https:\/\/example\.com\/api\/v1#[0-9a-f]{32}$/);
  expect(target).not.toContain('secret');
  expect(createTarget('https://example.com/api/v1', 'other-key')).not.toBe(target);
});
