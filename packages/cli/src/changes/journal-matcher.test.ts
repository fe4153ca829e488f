import { expect, test } from 'vitest';
import { notFoundError } from '../errors/cli-error.ts';
import type { Lookup } from '../resources/lookup.ts';
import { JournalMatcher } from './journal-matcher.ts';

const vip = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const gone = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b22';

const lookup = {
  id: async (_resource: string, name: string) => {
    if (name === 'VIP') return vip;
    throw notFoundError('There is none.', 'See what there is.');
  },
  all: async () => [{ id: vip }],
} as unknown as Lookup;

test('a missing name matches a deleted id, and no existing one', async () => {
  const matcher = new JournalMatcher(lookup);
  const [there, once] = [await matcher.id('tags', 'VIP'), await matcher.id('tags', 'Trial')];
  expect([matcher.matches(there, vip), matcher.matches(there, gone)]).toEqual([true, false]);
  expect([matcher.matches(once, vip), matcher.matches(once, gone), matcher.matches(once, 'Trial')]).toEqual([
    false,
    true,
    false,
  ]);
});
