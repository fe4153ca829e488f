import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = readdirSync(new URL('calls/', import.meta.url))
  .filter((name) => !name.endsWith('.test.ts'))
  .sort();

test.each([
  ['the calls of the control API', './calls.ts'],
  ['the public types', '../../generate/public-types.source.ts'],
])('%s come from every file of calls', (_what, path) => {
  const source = readFileSync(new URL(path, import.meta.url), 'utf8');
  const named = Array.from(source.matchAll(/ from '[./\w]*\/calls\/([\w-]+\.ts)';/g), ([, name]) => name);
  expect(named.sort()).toEqual(files);
});
