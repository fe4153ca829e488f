import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file),
);
/** What each file needs of others, types included. */
const needs = new Map(
  files.map((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    return [file, [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path))];
  }),
);

test('there are no circular imports', () => {
  expect(needs.size).toBeGreaterThan(40);
  // What needs nothing is taken away until nothing is left but circles.
  let size = 0;
  while (size !== needs.size) {
    size = needs.size;
    for (const [file, of] of needs) if (!of.some((other) => needs.has(other))) needs.delete(file);
  }
  expect([...needs.keys()]).toEqual([]);
});
