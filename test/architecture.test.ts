import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/* docs/architecture.md names files and folders; each of them exists. */

const root = new URL('../', import.meta.url);
const page = readFileSync(new URL('docs/architecture.md', root), 'utf8');
const sources = ['sdk', 'mock-server', 'cli'].flatMap((name) => {
  const source = `packages/${name}/src/`;
  return [source, `${source}pipeline/`, `${source}config/`, `${source}config/plan/`];
});
const named = [...page.matchAll(/`([\w./-]+(?:\/|\.ts|\.md|\.yaml))`/g)].map(([, path = '']) => path);

it.each([...new Set(named)])('%s exists', (path) => {
  expect(['', ...sources].filter((folder) => existsSync(new URL(folder + path, root)))).not.toEqual([]);
});
