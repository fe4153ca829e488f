import { expect, test } from 'vitest';
import { diffFields } from './field-diff.ts';

test('only fields that differ are listed', () => {
  expect(
    diffFields({ name: 'VIP', color: 'pink', used: 3 }, { name: 'VIP', color: 'blue', used: 3 }),
  ).toEqual([{ path: 'color', before: 'pink', after: 'blue' }]);
  expect(diffFields({ a: [1] }, { a: [1] })).toEqual([]);
});

test('fields that were added or removed have no value on one side', () => {
  expect(diffFields({ a: 1, gone: null }, { a: 1, made: '' })).toEqual([
    { path: 'gone', before: null, after: undefined },
    { path: 'made', before: undefined, after: '' },
  ]);
});

test('lists and objects are compared inside', () => {
  const before = { messages: [{ type: 'text', text: 'Hi' }], tagIds: ['a', 'b'] };
  const after = { messages: [{ type: 'text', text: 'Hello' }], tagIds: ['a'] };
  expect(diffFields(before, after)).toEqual([
    { path: 'messages[0].text', before: 'Hi', after: 'Hello' },
    { path: 'tagIds[1]', before: 'b', after: undefined },
  ]);
});

test('a value that changes its kind is one change', () => {
  expect(diffFields({ a: { b: 1 } }, { a: [1] })).toEqual([{ path: 'a', before: { b: 1 }, after: [1] }]);
  expect(diffFields(undefined, { a: 1 })).toEqual([{ path: '', before: undefined, after: { a: 1 } }]);
});

test('names of Object.prototype are ordinary fields', () => {
  const hostile = JSON.parse('{"__proto__": 1, "constructor": 2}') as unknown;
  expect(diffFields({}, hostile)).toEqual([
    { path: '__proto__', before: undefined, after: 1 },
    { path: 'constructor', before: undefined, after: 2 },
  ]);
});
