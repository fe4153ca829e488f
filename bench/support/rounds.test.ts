import { expect, test } from 'vitest';
import { difference, ratio, rounds, spreadOf } from './rounds.ts';

test('contestants take turns, in the other order every second round', async () => {
  const turns: string[] = [];
  const turn = (name: string) => () => turns.push(name);
  const figures = await rounds({ a: turn('a'), b: turn('b') }, { rounds: 3, warmUp: 1 });
  expect(turns.join('')).toBe('baabbaab');
  expect(figures).toEqual({ a: [3, 6, 7], b: [4, 5, 8] });
});

test('a spread is the least, the middle and the most', () => {
  expect(spreadOf([10, 2, 9])).toEqual({ min: 2, median: 9, max: 10 });
  expect(spreadOf([4, 1, 2, 3])).toEqual({ min: 1, median: 2.5, max: 4 });
  expect(() => spreadOf([])).toThrow();
});

test('rounds are compared with themselves, not with the middle of the others', () => {
  expect(ratio([2, 30, 8], [1, 10, 2])).toEqual({ min: 2, median: 3, max: 4 });
  expect(difference([2, 30, 8], [1, 10, 2])).toEqual({ min: 1, median: 6, max: 20 });
});
