import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const folders = ['control', 'events', 'faults', 'inject', 'request-log', 'saved-state', 'seed'];

test('a mock that starts makes no schema of its own: each is made on first use', () => {
  const files = folders.flatMap((folder) =>
    readdirSync(`${source}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${source}${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(40);
  const eager = files.filter((file) => /^(?:export )?const \w+ = z\b/m.test(readFileSync(file, 'utf8')));
  expect(eager).toEqual([]);
});
