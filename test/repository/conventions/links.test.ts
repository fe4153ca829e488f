import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { anchorOf, pages } from './repository-texts.ts';

/*
 * Links between the pages of the repository lead to files and headings that exist. In an installed package, they lead to its
 * own files or to addresses: `test/consumers/packed/packed.services.test.ts`.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

function anchorsOf(path: string): Set<string> {
  const headings = read(path)
    .replace(/^```[\s\S]*?^```$/gm, '')
    .matchAll(/^#+ (.+)$/gm);
  return new Set(Array.from(headings, ([, heading = '']) => anchorOf(heading)));
}

/** The links of a page that are not addresses. */
const findLinks = (path: string): string[] =>
  Array.from(read(path).matchAll(/\]\((?!https?:)([^)\s]+)\)/g), ([, link = '']) => link);

it.each(pages)('the links of %s lead somewhere', (path) => {
  const links = findLinks(path);
  const broken = links.filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
  expect(broken).toEqual([]);
});

/** The pages that a reader of one gets to by links, in one folder. */
function reachedFrom(start: string, folder: string): Set<string> {
  const reached = new Set([start]);
  for (const page of reached)
    for (const link of findLinks(page)) {
      const target = join(dirname(page), link.split('#')[0] || '.');
      if (target.startsWith(folder) && pages.includes(target)) reached.add(target);
    }
  return reached;
}

it.each(['packages/cli/', 'packages/fleet/', 'packages/mock-server/', 'packages/sdk/', 'docs/'])(
  'every page of %s is reached by links from its README',
  (folder) => {
    // The first page of the repository is that of its docs. Those of the site are its own.
    const [start, within] = folder === 'docs/' ? ['README.md', ''] : [`${folder}README.md`, folder];
    const reached = reachedFrom(start, within);
    const own = pages.filter((page) => page.startsWith(folder) && !page.startsWith('docs/site/'));
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((page) => !reached.has(page))).toEqual([]);
  },
);
