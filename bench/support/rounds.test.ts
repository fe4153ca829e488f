import { expect, test } from 'vitest';
import { rounds, roundsOfSeveral } from './rounds.ts';

test('contestants take turns forward and back, and warm-up rounds do not count', async () => {
  const turns: string[] = [];
  const turn = (name: string) => () => turns.push(name);
  const figures = await rounds({ a: turn('a'), b: turn('b') }, { rounds: 2, warmUp: 1 });
  expect(turns.join('')).toBe('abbaabbaabba');
  // The mean of the fifth and eighth turn, and so on.
  expect(figures).toEqual({ a: [6.5, 10.5], b: [6.5, 10.5] });
});

test('a machine that gets steadily slower affects both contestants equally', async () => {
  let slower = 1;
  const turn = (cost: number) => () => cost + slower++;
  const { a, b } = await rounds({ a: turn(100), b: turn(50) }, { rounds: 5 });
  expect(a.map((figure, i) => figure - (b[i] ?? 0))).toEqual([50, 50, 50, 50, 50]);
});

test('a turn may give several figures', async () => {
  let count = 0;
  const turn = async () => ({ rate: ++count, cost: 10 * count });
  const figures = await roundsOfSeveral({ one: turn, two: turn }, { rounds: 2, warmUp: 0 });
  expect(figures).toEqual({
    one: { rate: [2.5, 6.5], cost: [25, 65] },
    two: { rate: [2.5, 6.5], cost: [25, 65] },
  });
});
