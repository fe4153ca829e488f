import { expect, test } from 'vitest';
import { difference, differences, ratio, spreadOf } from './statistics.ts';

test('a spread is the median, the quarters on both sides of it, and the extremes', () => {
  expect(spreadOf([10, 2, 9, 3, 8])).toEqual({
    least: 2,
    lower: 3,
    median: 8,
    upper: 9,
    most: 10,
    rounds: 5,
  });
  expect(spreadOf([4, 1, 2, 3])).toMatchObject({ lower: 1.75, median: 2.5, upper: 3.25 });
  expect(spreadOf([7])).toEqual({ least: 7, lower: 7, median: 7, upper: 7, most: 7, rounds: 1 });
});

test('one disturbed round changes only the extremes', () => {
  const calm = spreadOf([10, 11, 12, 13, 14, 15, 16]);
  const disturbed = spreadOf([10, 11, 12, 13, 14, 15, 1600]);
  expect(disturbed).toEqual({ ...calm, most: 1600 });
});

test('figures of the same round are compared, not medians', () => {
  expect(ratio([2, 30, 8], [1, 10, 2])).toMatchObject({ least: 2, median: 3, most: 4 });
  expect(difference([2, 30, 8], [1, 10, 2])).toMatchObject({ least: 1, median: 6, most: 20 });
  expect(differences([2, 30], [1, 10])).toEqual([1, 20]);
});

test('rejects figures that are not finite numbers', () => {
  expect(() => spreadOf([])).toThrow('nothing');
  expect(() => spreadOf([1, Number.NaN])).toThrow('NaN');
  expect(() => ratio([1], [0])).toThrow('Infinity');
  expect(() => ratio([1, 2], [1])).toThrow('2 rounds');
});
