import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/* The files and folders that docs/architecture.md and CONTRIBUTING.md name exist. */

const root = new URL('../../../', import.meta.url);

/** Where the architecture page begins its paths: each section says which package it describes. */
const sources = ['sdk', 'mock-server', 'fleet', 'cli'].flatMap((name) => {
  const source = `packages/${name}/src/`;
  return [source, `${source}pipeline/`, `${source}config/`, `${source}config/plan/`];
});

/** A page, the folders its paths may begin in, and the paths it names in code. */
const cases = [
  { page: 'docs/architecture.md', from: ['', 'packages/inspector/', ...sources] },
  { page: 'docs/layout.md', from: ['', ...sources] },
  { page: 'CONTRIBUTING.md', from: [''] },
  { page: 'test/README.md', from: [''] },
].flatMap(({ page, from }) => {
  const text = readFileSync(new URL(page, root), 'utf8');
  const paths = Array.from(text.matchAll(/`([\w./-]+(?:\/|\.ts|\.md|\.yaml))`/g), ([, path = '']) => path);
  return [...new Set(paths)].map((path) => ({ page, path, from }));
});

it.each(cases)('$page names $path, which exists', ({ path, from }) => {
  expect(from.filter((folder) => existsSync(new URL(folder + path, root)))).not.toEqual([]);
});

const read = (page: string): string => readFileSync(new URL(page, root), 'utf8');

it('each row of CONTRIBUTING.md that says where to change something has one path', () => {
  const [, table = ''] = read('CONTRIBUTING.md').split('## Where to change what');
  const rows = (table.split('\n\n[')[0] ?? '').split('\n').filter((line) => /^\| an? /.test(line));
  expect(rows.length).toBeGreaterThan(8);
  expect(rows.filter((row) => row.match(/`[\w./-]+(?:\/|\.ts|\.md)`/g)?.length !== 1)).toEqual([]);
});

it.each(['a field of the API', 'a control call', 'a fault of the mock', 'a command'])(
  'docs/layout.md says how to add %s, and with which test',
  (subject) => {
    const [, steps = ''] = read('docs/layout.md').split(`## Add ${subject}\n`);
    expect(steps.split('\n## ')[0]).toMatch(/`[\w/.-]+\.test\.ts`/);
  },
);

it.each<[page: string, most: number]>([
  ['CONTRIBUTING.md', 900],
  ['README.md', 1_300],
  ...['cli', 'fleet', 'mock-server', 'sdk'].map(
    (name) => [`packages/${name}/README.md`, 1_500] satisfies [string, number],
  ),
])('%s has at most %i words', (page, most) => {
  expect(read(page).split(/\s+/).length).toBeLessThanOrEqual(most);
});
