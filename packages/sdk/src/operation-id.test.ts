import { expect, test } from 'vitest';
import { canonicalJson, operationIdFrom, operationIdOf, targetOf } from './operation-id.ts';

test('the same parts give the same id everywhere and always', async () => {
  expect(await operationIdFrom('import', 'customers.csv', 17)).toBe('2cee5df2-19e6-5a2b-a5ec-ba5ec76c2a75');
});

test('it is a UUID of version 5', async () => {
  expect(await operationIdFrom('x')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test('what differs gives different ids', async () => {
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

test('the order of keys plays no part', async () => {
  expect(await operationIdFrom({ a: 1, b: { c: 2, d: 3 } })).toBe(
    await operationIdFrom({ b: { d: 3, c: 2 }, a: 1 }),
  );
});

test('no parts are a mistake, and so is one that is missing', async () => {
  // What JavaScript may hand over.
  const missing = undefined as unknown as string;
  await expect(operationIdFrom()).rejects.toThrow(/needs defined parts/);
  await expect(operationIdFrom('import', missing)).rejects.toThrow(/needs defined parts/);
});

test('a given id is compared in lower case, and must be one', () => {
  expect(operationIdOf('6F1C2F0E-8A53-4B6E-9A55-0D6F3C1E7B21')).toBe('6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21');
  for (const wrong of [
    '',
    'x',
    '6f1c2f0e8a534b6e9a550d6f3c1e7b21',
    ' 6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
  ]) {
    expect(() => operationIdOf(wrong)).toThrow(/UUID/);
  }
});

test('canonical JSON sorts keys, keeps arrays, drops undefined', () => {
  expect(canonicalJson({ b: [2, 1], a: undefined, c: { z: 1, y: null } })).toBe(
    '{"b":[2,1],"c":{"y":null,"z":1}}',
  );
});

test('a target shows its base URL and not its key', async () => {
  const target = await targetOf('https://example.com/api/v1', 'secret-key');
  expect(target).toMatch(/^https:\/\/example\.com\/api\/v1#[0-9a-f]{32}$/);
  expect(target).not.toContain('secret');
  expect(await targetOf('https://example.com/api/v1', 'other-key')).not.toBe(target);
});
