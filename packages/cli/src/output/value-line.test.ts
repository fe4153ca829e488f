import { expect, test } from 'vitest';
import { toValueLine } from './value-line.ts';

test('values are bare, with tabs between them', () => {
  expect(toValueLine({ id: 'a', active: false, count: 0 })).toBe('a\tfalse\t0\n');
});

test('a missing value is empty, and its place is kept', () => {
  expect(toValueLine({ id: null, name: '', color: undefined, size: 2 })).toBe('\t\t\t2\n');
});

test.each([
  ['a\tb', 'a\\tb'],
  ['a\nb\r\nc', 'a\\nb\\r\\nc'],
  ['C:\\new', 'C:\\\\new'],
  ['日本語 \u001b[0m', '日本語 \u001b[0m'],
])('what separates values or records is escaped in %j', (value, shown) => {
  expect(toValueLine({ value })).toBe(`${shown}\n`);
});

test('lists and objects are JSON on the same line', () => {
  expect(toValueLine({ tagIds: ['a', 'b'], data: { x: 1 } })).toBe('["a","b"]\t{"x":1}\n');
});
