import { describe, expect, test } from 'vitest';
import { containsData, mergeData } from './contains-data.ts';

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

test('a record contains data at every depth, without regard to blanks, null and the letter case of ids', () => {
  const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
  const record = { name: 'VIP ', tagId: id.toUpperCase(), steps: [bye], note: undefined };
  expect(containsData(record, { name: ' VIP', tagId: id, steps: [{ text: 'Bye' }], note: null })).toBe(true);
  expect(containsData(record, { steps: [{ text: 'Bye' }, { text: 'Bye' }] })).toBe(false);
  expect(containsData(record, { name: 'vip' })).toBe(false);
  expect(containsData(record, { steps: null })).toBe(false);
});
