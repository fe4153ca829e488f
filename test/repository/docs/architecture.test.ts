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
  { page: 'CONTRIBUTING.md', from: [''] },
].flatMap(({ page, from }) => {
  // Below "How we write", CONTRIBUTING.md names kinds of files and what runs leave behind.
  const [text = ''] = readFileSync(new URL(page, root), 'utf8').split('## How we write');
  const paths = Array.from(text.matchAll(/`([\w./-]+(?:\/|\.ts|\.md|\.yaml))`/g), ([, path = '']) => path);
  return [...new Set(paths)].map((path) => ({ page, path, from }));
});

it.each(cases)('$page names $path, which exists', ({ path, from }) => {
  expect(from.filter((folder) => existsSync(new URL(folder + path, root)))).not.toEqual([]);
});

it.each([
  'a limit',
  'a retry rule',
  'a fault of the mock',
  'a column of a CLI table',
  "the plan's output",
  'an error message',
  'an API field',
  'a decision',
  'a clause',
])('CONTRIBUTING.md says where to change %s, and with which test', (subject) => {
  const text = readFileSync(new URL('CONTRIBUTING.md', root), 'utf8');
  const [, edit, test] =
    text
      .split('\n')
      .find((line) => line.startsWith(`| ${subject} |`))
      ?.split(' | ') ?? [];
  expect(edit).toMatch(/`[\w/.-]+(?:\.ts|\.md|\/)`/);
  expect(test).toMatch(/`[\w/.-]+\.test\.ts`/);
});
