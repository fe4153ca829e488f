import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the page of the life cycle names existing tests', () => {
  const page = readFileSync(new URL('../docs/lifecycle.md', import.meta.url), 'utf8');
  const invariants = page.split('\n').filter((line) => /^\| L\d+ \|/.test(line));
  expect(invariants.length).toBeGreaterThan(0);
  for (const invariant of invariants) {
    const named = [...invariant.matchAll(/`([\w./-]+)`: ("[^`]+")/g)];
    expect(named.length, invariant).toBeGreaterThan(0);
    for (const [, file, titles = ''] of named) {
      const path = file?.startsWith('test/') ? `../${file}` : `../src/${file}`;
      const text = readFileSync(new URL(path, import.meta.url), 'utf8');
      for (const [, title] of titles.matchAll(/"([^"]+)"/g)) expect(text).toContain(title);
    }
  }
});
