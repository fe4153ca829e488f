import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { anchorOf, pages } from './repository-texts.ts';

/* Links between the pages of the repository lead to files and headings that exist, also in an installed package. */

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

/** The packages that users install. What such a package contains is in `files` of its package.json. */
const published = readdirSync(join(root, 'packages'))
  .map((name) => ({ folder: `packages/${name}`, manifest: readManifest(`packages/${name}`) }))
  .filter(({ manifest }) => manifest.private !== true);

interface Manifest {
  readonly private?: boolean;
  readonly files?: readonly string[];
}

function readManifest(folder: string): Manifest {
  return JSON.parse(read(`${folder}/package.json`)) as Manifest;
}

it('the packages that users install are found', () => {
  expect(published.map(({ folder }) => folder)).toEqual(
    ['cli', 'fleet', 'mock-server', 'sdk'].map((name) => `packages/${name}`),
  );
});

it.each(published)(
  'the pages in the tarball of $folder link only to what is in it',
  ({ folder, manifest }) => {
    const files = manifest.files ?? [];
    const texts = files.filter((file) => file.endsWith('.md'));
    expect(texts).toContain('README.md');
    const isPacked = (path: string): boolean =>
      files.some((file) => path === file || path.startsWith(`${file}/`));
    const leading = texts.flatMap((text) =>
      findLinks(`${folder}/${text}`)
        .filter((link) => !link.startsWith('#') && !isPacked(normalize(link.split('#')[0] ?? '')))
        .map((link) => `${text}: ${link}`),
    );
    expect(leading).toEqual([]);
  },
);
