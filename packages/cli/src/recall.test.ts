import { expect, test } from 'vitest';
import { notFound } from './failure.ts';
import type { Lookup } from './lookup.ts';
import { Recall } from './recall.ts';

const vip = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const gone = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b22';

const lookup = {
  id: async (_resource: string, name: string) => {
    if (name === 'VIP') return vip;
    throw notFound('There is none.', 'See what there is.');
  },
  all: async () => [{ id: vip }],
} as unknown as Lookup;

test('a name that is gone is that of an id that is gone, and of none that is there', async () => {
  const recall = new Recall(lookup);
  const [there, once] = [await recall.id('tags', 'VIP'), await recall.id('tags', 'Trial')];
  expect([recall.same(there, vip), recall.same(there, gone)]).toEqual([true, false]);
  expect([recall.same(once, vip), recall.same(once, gone), recall.same(once, 'Trial')]).toEqual([
    false,
    true,
    false,
  ]);
});
