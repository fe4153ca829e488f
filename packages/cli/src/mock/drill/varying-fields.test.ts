import { expect, test } from 'vitest';
import type { Item } from './snapshot.ts';
import { ItemComparer } from './varying-fields.ts';

const tag = (name: string, color = 'pink'): Item => ({
  kind: 'tags',
  fields: new Map([
    ['name', name],
    ['color', color],
  ]),
});

const isSame = (comparer: ItemComparer, one: Item, other: Item): boolean =>
  comparer.toKey(one) === comparer.toKey(other);

test('a field that is the same in both runs is compared by its value', () => {
  const comparer = new ItemComparer([tag('A'), tag('B')], [tag('B'), tag('A')]);
  expect(isSame(comparer, tag('A'), tag('A'))).toBe(true);
  expect(isSame(comparer, tag('A'), tag('B'))).toBe(false);
  expect(isSame(comparer, tag('A'), tag('A', 'blue'))).toBe(false);
});

test.each([
  ['vip-7f3a', 'vip-99bc', 'vip-abcd'],
  ['vip-QkzPwRtx', 'vip-MnbVcxYz', 'vip-Ppqqrrss'],
  ['vip at 12:05', 'vip at 12:06', 'vip at 13:01'],
  ['vip 1', 'vip 2', 'vip 1700000000'],
])('of a random name, only the words of both runs count: %j', (one, other, third) => {
  const comparer = new ItemComparer([tag(one)], [tag(other)]);
  expect(isSame(comparer, tag(one), tag(third))).toBe(true);
  expect(isSame(comparer, tag(one), tag(third.replace('vip', 'new')))).toBe(false);
  expect(isSame(comparer, tag(one), tag(third, 'blue'))).toBe(false);
});

test('a field whose values have nothing in common is not compared', () => {
  const comparer = new ItemComparer([tag('one two')], [tag('three')]);
  expect(isSame(comparer, tag('one two'), tag('anything else, really'))).toBe(true);
  expect(isSame(comparer, tag('one two'), tag('three', 'blue'))).toBe(false);
});

test('a field is that of one kind', () => {
  const form = (name: string): Item => ({ kind: 'forms', fields: new Map([['name', name]]) });
  const comparer = new ItemComparer([tag('a1'), form('F')], [tag('a2'), form('F')]);
  expect(isSame(comparer, form('F'), form('G'))).toBe(false);
  expect(isSame(comparer, tag('F1'), form('F1'))).toBe(false);
});
