import { describe, expect, test } from 'vitest';
import { containsData, isSameData, mergeData } from './contains-data.ts';

const promo = {
  text: 'Promo',
  content: [{ type: 'image', imageId: 'i' }],
  condition: { type: 'tag_exists', tagId: 't' },
};
const bye = { text: 'Bye', timingMode: 'relative' };

describe('merged data', () => {
  test('keep the fields of objects that are not given', () => {
    const design = { style: 'tiles', color: '#ffffff', areas: [] };
    expect(mergeData({ name: 'A', design }, { design: { color: '#000000' } })).toEqual({
      name: 'A',
      design: { ...design, color: '#000000' },
    });
  });

  test.each([
    ['another text', [{ text: 'Hello' }, { text: 'Bye' }], [{ text: 'Hello' }, bye]],
    ['another order', [{ text: 'Bye' }, { text: 'Promo' }], [{ text: 'Bye' }, { text: 'Promo' }]],
    [
      'one item more',
      [{ text: 'Promo' }, { text: 'Bye' }, { text: 'PS' }],
      [{ text: 'Promo' }, { text: 'Bye' }, { text: 'PS' }],
    ],
    ['the same text', [{ text: ' Promo ' }, { text: 'Bye' }], [promo, bye]],
  ])('never give a message in a list with %s what belonged to another', (_what, steps, merged) => {
    expect(mergeData({ steps: [promo, bye] }, { steps })).toEqual({ steps: merged });
  });

  test('have a null that was passed, and keep what was passed as undefined', () => {
    expect(mergeData({ a: 1, b: 2 }, { a: null, b: undefined })).toEqual({ a: null, b: 2 });
  });
});

const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

test('a record contains data at every depth, without regard to null and the letter case of ids', () => {
  const record = { name: 'VIP', tagId: id.toUpperCase(), steps: [bye], note: undefined };
  expect(containsData(record, { name: ' VIP', tagId: id, steps: [{ text: 'Bye' }], note: null })).toBe(true);
  expect(containsData(record, { steps: [{ text: 'Bye' }, { text: 'Bye' }] })).toBe(false);
  expect(containsData(record, { name: 'vip' })).toBe(false);
  expect(containsData(record, { steps: null })).toBe(false);
});

test.each([
  ['as it is', ' Hi ', ' Hi ', true],
  ['trimmed', 'Hi', '\u3000Hi\n', true],
  ['with other white space around it', ' Hi ', 'Hi', false],
  ['with other white space in it', 'Hi  you', 'Hi you', false],
  ['in another letter case', 'HI', 'Hi', false],
  ['that looks like an id, in another letter case', id.toUpperCase(), id, false],
])('a stored text %s: %j for %j is the same: %s', (_what, kept, given, isSame) => {
  expect(containsData({ steps: [{ text: kept }] }, { steps: [{ text: given }] })).toBe(isSame);
  expect(isSameData([kept], [given])).toBe(isSame);
});

test('data are the same if neither side has what the other does not have', () => {
  const step = { text: 'Hello', condition: null };
  expect(isSameData([step], [{ text: ' Hello ' }])).toBe(true);
  expect(isSameData([{ ...step, timingMode: 'elapsed' }], [step])).toBe(false);
  expect(isSameData([step], [{ ...step, timingMode: 'elapsed' }])).toBe(false);
  expect(isSameData({ a: [1, 2] }, { a: [1, 2, 3] })).toBe(false);
  expect(isSameData({ tagIds: [id] }, { tagIds: [id.toUpperCase()] })).toBe(true);
  expect(isSameData(undefined, null)).toBe(true);
  expect(isSameData(undefined, {})).toBe(false);
});
