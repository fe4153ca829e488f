import { expect, test } from 'vitest';
import { compare } from '../../src/config/plan/compare-data.ts';

const step = (text: string, delayValue = 1) => ({ delayValue, delayUnit: 'days', text });
const steps = (...texts: string[]) => ({ steps: texts.map((text) => step(text)) });
const shown = (from: object, to: object, before?: object) =>
  compare('scenarios', { ...from }, { ...to }, before && { ...before }).map(
    ({ path, from: was, to: is, origin }) => [path, was, is, origin],
  );

test('removing step 2 of 4 is one removal', () => {
  expect(shown(steps('a', 'b', 'c', 'd'), steps('a', 'c', 'd'))).toEqual([
    ['steps[1]', step('b'), null, 'unknown'],
  ]);
});

test('an item that is added in the middle is one addition', () => {
  expect(shown(steps('a', 'c'), steps('a', 'b', 'c'))).toEqual([['steps[1]', null, step('b'), 'unknown']]);
});

test('an item that changes beside one that is removed is a change of its field', () => {
  const changed = { steps: [step('a', 5), step('c')] };
  expect(shown(steps('a', 'b', 'c'), changed)).toEqual([
    ['steps[0].delayValue', 1, 5, 'unknown'],
    ['steps[1]', step('b'), null, 'unknown'],
  ]);
});

test('an item that moves is removed there and added here', () => {
  expect(shown({ options: ['a', 'b', 'c'] }, { options: ['c', 'a', 'b'] })).toEqual([
    ['options[0]', null, 'c', 'unknown'],
    ['options[2]', 'c', null, 'unknown'],
  ]);
});

test('lists of one length are compared item by item, each with its own origin', () => {
  expect(shown(steps('drifted', 'b'), steps('a', 'edited'), steps('a', 'b'))).toEqual([
    ['steps[0].text', 'drifted', 'a', 'drift'],
    ['steps[1].text', 'b', 'edited', 'file'],
  ]);
});

test('if an item was added or removed, the origin is that of the whole list', () => {
  expect(shown(steps('a', 'b'), steps('a'), steps('a', 'b'))).toMatchObject([['steps[1]', {}, null, 'file']]);
  expect(shown(steps('a'), steps('a', 'b'), steps('a', 'b'))).toMatchObject([
    ['steps[1]', null, {}, 'drift'],
  ]);
  expect(shown(steps('a', 'b', 'x'), steps('a'), steps('a', 'b'))).toMatchObject([
    ['steps[1]', {}, null, 'both'],
    ['steps[2]', {}, null, 'both'],
  ]);
});

test('every difference is found, and no others', () => {
  const texts = ['', 'a', 'b', 'ab', 'abc', 'bca', 'aab', 'cab', 'abab'];
  for (const one of texts)
    for (const other of texts)
      expect(shown(steps(...one), steps(...other)).length === 0, `${one} and ${other}`).toBe(one === other);
});
