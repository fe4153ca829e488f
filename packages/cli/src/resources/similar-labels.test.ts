import { expect, test } from 'vitest';
import { createSimilarFinder, isSimilarLabel } from './similar-labels.ts';

const labels = ['VIP', 'vip', 'New\u200b', 'Ｎｅｗ', 'Café', 'Cafe\u0301', 'Other', 'Other'];

test('finds what is similar, and not what is the same', () => {
  const find = createSimilarFinder(labels.map((label) => ({ label })));
  for (const label of [...labels, 'none', 'V I P'])
    expect(find(label)?.label).toBe(labels.find((one) => isSimilarLabel(one, label)));
});

test('reads each label a few times, however many are looked up', () => {
  let reads = 0;
  const records = Array.from({ length: 500 }, (_, index) => ({
    get label() {
      reads++;
      return index % 2 === 0 ? `tag ${index}` : 'the same';
    },
  }));
  const find = createSimilarFinder(records);
  for (let index = 0; index < 500; index++) expect(find(`TAG ${index * 2}`) === undefined).toBe(index >= 250);
  for (let index = 0; index < 500; index++) expect(find('the same')).toBeUndefined();
  expect(reads).toBeLessThan(5 * records.length);
});
