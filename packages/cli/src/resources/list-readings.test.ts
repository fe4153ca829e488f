import { expect, test } from 'vitest';
import { findReadings } from './list-readings.ts';

test.each([
  ['A', ['A'], [['A']]],
  ['A,B', ['A', 'B'], [['A', 'B']]],
  ['A,B', ['A,B'], [['A,B']]],
  ['A,B', ['A,B', 'A'], [['A,B']]],
  ['A,B', ['A', 'B', 'A,B'], [['A', 'B'], ['A,B']]],
  [' A , B ', ['A', 'B'], [['A', 'B']]],
  ['A, B', ['A, B'], [['A, B']]],
  ['A,B,C', ['A,B', 'C'], [['A,B', 'C']]],
  [
    'A,B,C',
    ['A', 'B,C', 'A,B', 'C'],
    [
      ['A', 'B,C'],
      ['A,B', 'C'],
    ],
  ],
  ['A,B', ['A'], []],
])('%j with the names %j can be read as %j', (value, names, readings) => {
  expect(findReadings(value, (name) => names.includes(name))).toEqual(readings);
});

test('many names that could be joined take no long time', () => {
  const value = Array.from({ length: 200 }, () => 'A').join(',');
  expect(findReadings(value, (name) => !name.includes('B'))).toHaveLength(2);
});

test('a long list takes no long time if names are short', () => {
  const value = Array.from({ length: 20_000 }, (_, n) => `tags/${n}`).join(',');
  expect(findReadings(value, (name) => /^tags\/\d+$/.test(name), 20)).toHaveLength(1);
});
