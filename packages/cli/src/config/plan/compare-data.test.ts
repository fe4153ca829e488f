import { describe, expect, test } from 'vitest';
import { compare } from './compare-data.ts';

const step = { delayValue: 1, text: 'a', condition: null };

describe('a difference', () => {
  test.each([
    ['that the file made', { name: 'x' }, { name: 'y' }, { name: 'x' }, 'file'],
    ['that drifted', { name: 'y' }, { name: 'x' }, { name: 'x' }, 'drift'],
    ['that both made', { name: 'y' }, { name: 'z' }, { name: 'x' }, 'both'],
    ['that nobody can know of', { name: 'x' }, { name: 'y' }, undefined, 'unknown'],
  ] as const)('%s', (_what, actual, wanted, base, origin) => {
    expect(compare('scenarios', actual, wanted, base)).toMatchObject([{ path: 'name', origin }]);
  });

  test('deep inside has its path', () => {
    const [change] = compare('scenarios', { steps: [step] }, { steps: [{ ...step, text: 'b' }] }, undefined);
    expect(change).toMatchObject({ path: 'steps[0].text', from: 'a', to: 'b' });
  });

  test('null equals a missing value, and the order of fields does not matter', () => {
    expect(
      compare(
        'scenarios',
        { a: null, b: 1, steps: [step] },
        { steps: [{ text: 'a', delayValue: 1 }], b: 1 },
        undefined,
      ),
    ).toEqual([]);
  });

  test('to null is shown as such', () => {
    expect(compare('scenarios', { a: 'x' }, { a: null }, undefined)).toEqual([
      { path: 'a', from: 'x', to: null, origin: 'unknown' },
    ]);
  });
});
