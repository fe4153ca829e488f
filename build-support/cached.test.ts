import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { cached } from './cached.ts';

test('a text is made again only if one of its ingredients changes', async () => {
  const name = `test-${randomUUID()}`;
  let count = 0;
  const make = (...ingredients: readonly string[]) => cached(name, ingredients, () => `made ${++count}`);
  try {
    expect(await make('a', 'b')).toBe('made 1');
    expect(await make('a', 'b')).toBe('made 1');
    expect(await make('ab', '')).toBe('made 2');
    expect(await make('a', 'b')).toBe('made 3');
  } finally {
    await rm(new URL(`../node_modules/.cache/orgchat-build/${name}`, import.meta.url));
  }
});
