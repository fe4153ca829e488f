import { expect, test } from 'vitest';
import { compareNames, findOvertakings, findWorstWindow } from './verify.ts';

const ask = (place: string, from: number, state?: string, askAgainMs = 100) => ({
  ...({ type: 'asked', place, from, to: from + 10, askAgainMs } as const),
  ...(state !== undefined && { state }),
});

test('finds a request that passed one that was in the line before it', () => {
  const questions = [
    ask('a', 0, 'waiting'),
    ask('b', 20, 'waiting'),
    ask('b', 120, 'granted'),
    ask('a', 140, 'granted'),
  ];
  expect(findOvertakings(questions).found).toEqual(['b entered 10 ms after a, and was granted 10 ms before']);
});

test('does not compare requests that entered at the same time, or left the line', () => {
  const passes = [ask('b', 20, 'waiting'), ask('b', 5_120, 'granted')];
  const same = [ask('a', 15, 'waiting', 5_200), ask('a', 5_240, 'granted')];
  expect(findOvertakings([...same, ...passes]).found).toEqual([]);
  const failed = [ask('a', 0, 'waiting', 5_200), ask('a', 5_000), ask('a', 5_240, 'granted')];
  expect(findOvertakings([...failed, ...passes]).found).toEqual([]);
  const late = [ask('a', 0, 'waiting'), ask('a', 5_240, 'granted')];
  expect(findOvertakings([...late, ...passes]).found).toEqual([]);
  const kept = [ask('a', 0, 'waiting', 5_200), ask('a', 5_240, 'granted')];
  expect(findOvertakings([...kept, ...passes]).found).toHaveLength(1);
});

test('finds no overtaking in a line that is served in order', () => {
  const questions = Array.from({ length: 200 }, (_, n) => [
    ask(`${n}`, n * 20, 'waiting', 5_000),
    ask(`${n}`, 5_000 + n * 20, 'granted'),
  ]);
  expect(findOvertakings(questions.flat())).toEqual({ found: [], compared: 200 });
});

test('counts the fullest window, wherever it begins', () => {
  expect(findWorstWindow([], 1_000)).toBe(0);
  expect(findWorstWindow([0, 900, 950, 1_800, 1_850], 1_000)).toBe(4);
  expect(findWorstWindow([0, 1_000, 2_000], 1_000)).toBe(1);
});

test('finds what is lost, doubled or must not exist', () => {
  type Expected = Parameters<typeof compareNames>[1] extends ReadonlyMap<string, infer T> ? T : never;
  const expected = new Map<string, Expected>([
    ['a', { atLeast: 1, atMost: 1 }],
    ['b', { atLeast: 1, atMost: 1 }],
    ['c', { atLeast: 1, atMost: 1 }],
    ['maybe', { atLeast: 0, atMost: 1 }],
    ['never', { atLeast: 0, atMost: 0 }],
  ]);
  expect(compareNames(['a', 'b', 'b', 'never', 'other'], expected)).toEqual({
    lost: ['c'],
    doubled: ['b'],
    unexpected: ['never'],
  });
  expect(compareNames(['maybe', 'maybe', 'a', 'b', 'c'], expected).doubled).toEqual(['maybe']);
});
