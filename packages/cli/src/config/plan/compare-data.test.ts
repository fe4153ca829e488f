import { isSameData } from '@orgchat/sdk/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, compareAndMerge } from './compare-data.ts';

const step = { delayValue: 1, text: 'a', condition: null };
const other = { delayValue: 2, text: 'b', condition: null };

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

  test('is not a choice that the file leaves to the server', () => {
    const filled = { name: 'x', steps: [{ ...step, timingMode: 'relative' }] };
    const [left, chosen] = [
      { name: 'x', steps: [step] },
      { name: 'x', steps: [{ ...step, timingMode: 'elapsed' }] },
    ];
    expect(compare('scenarios', filled, left, left)).toEqual([]);
    expect(compareAndMerge('scenarios', filled, left, left).merged).toEqual(filled);
    expect(compare('scenarios', filled, chosen, left)).toMatchObject([
      { path: 'steps[0].timingMode', origin: 'both' },
    ]);
  });

  test('is a choice that the file removed', () => {
    const [with_, without] = [{ steps: [{ ...step, timingMode: 'elapsed' }] }, { steps: [step] }];
    expect(compareAndMerge('scenarios', with_, without, with_)).toMatchObject({
      fields: [{ path: 'steps[0].timingMode', from: 'elapsed', to: null, origin: 'file' }],
      merged: without,
    });
  });

  test('is an optional field of another kind, and a choice that is not optional', () => {
    const content = [{ type: 'image', imageId: 'i' }];
    expect(
      compare('scenarios', { steps: [{ ...step, content }] }, { steps: [step] }, undefined),
    ).toHaveLength(1);
    // It can be null.
    const branch = { steps: [{ ...step, nextStepOnFalse: 3 }] };
    expect(compare('scenarios', branch, { steps: [step] }, undefined)).toHaveLength(1);
    expect(compare('tags', { name: 'x', color: 'red' }, { name: 'x' }, undefined)).toHaveLength(1);
  });

  test('null equals a missing value beside a difference, too', () => {
    expect(compare('scenarios', { a: null, b: 1 }, { b: 2 }, { a: null, b: 1 })).toMatchObject([
      { path: 'b' },
    ]);
    expect(compare('scenarios', { b: 1 }, { a: null, b: 2 }, { b: 1 })).toMatchObject([{ path: 'b' }]);
  });

  test('to null is shown as such', () => {
    expect(compare('scenarios', { a: 'x' }, { a: null }, undefined)).toEqual([
      { path: 'a', from: 'x', to: null, origin: 'unknown' },
    ]);
  });
});

describe('a merge', () => {
  const merge = (actual: object, wanted: object, base?: object) =>
    compareAndMerge('scenarios', { ...actual }, { ...wanted }, base && { ...base }).merged;

  test.each([
    ['what only the file changed', { a: 1, b: 2 }, { a: 1, b: 3 }, { a: 1, b: 2 }, { a: 1, b: 3 }],
    ['what only the organization changed', { a: 5, b: 2 }, { a: 1, b: 2 }, { a: 1, b: 2 }, { a: 5, b: 2 }],
    ['one field of each', { a: 5, b: 2 }, { a: 1, b: 3 }, { a: 1, b: 2 }, { a: 5, b: 3 }],
    ['the organization, if both changed it', { a: 5 }, { a: 7 }, { a: 1 }, { a: 5 }],
    ['the organization, if there is no base', { a: 5 }, { a: 7 }, undefined, { a: 5 }],
    ['a field that the file removed', { a: 1, b: 2 }, { a: 1 }, { a: 1, b: 2 }, { a: 1 }],
    [
      'a field that the file set to null',
      { a: 1, b: 2 },
      { a: 1, b: null },
      { a: 1, b: 2 },
      { a: 1, b: null },
    ],
    ['null of the organization', { a: 5, b: null }, { a: 1 }, { a: 1, b: null }, { a: 5, b: null }],
    ['null of the file', { a: 5 }, { a: 1, b: null }, { a: 1 }, { a: 5, b: null }],
    [
      'one item of each, in lists of one length',
      { steps: [{ ...step, text: 'drifted' }, other] },
      { steps: [step, { ...other, text: 'edited' }] },
      { steps: [step, other] },
      {
        steps: [
          { ...step, text: 'drifted' },
          { ...other, text: 'edited' },
        ],
      },
    ],
    [
      'the whole list of the side that moved items',
      { list: ['a', 'b'] },
      { list: ['b'] },
      { list: ['a', 'b'] },
      { list: ['b'] },
    ],
    [
      'the list of the organization, if both moved items',
      { list: ['a'] },
      { list: ['b'] },
      { list: ['a', 'b'] },
      { list: ['a'] },
    ],
  ] as const)('takes %s', (_what, actual, wanted, base, merged) => {
    expect(merge(actual, wanted, base)).toEqual(merged);
  });

  test('with the base of one side is the other side, whatever the data are', () => {
    const data = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(data, data, (one, another) => {
        expect(isSameData(merge(one, another, one), another)).toBe(true);
        expect(isSameData(merge(one, another, another), one)).toBe(true);
        expect(isSameData(merge(one, one, another), one)).toBe(true);
      }),
    );
  });
});
