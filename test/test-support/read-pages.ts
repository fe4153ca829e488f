import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The pages that a package contains, by path from its folder: the README, and those in its folder `docs`. */
export function readPages(name: string): ReadonlyMap<string, string> {
  const folder = new URL(`../../packages/${name}/`, import.meta.url);
  const pages = readdirSync(fileURLToPath(new URL('docs/', folder))).map((page) => `docs/${page}`);
  return new Map(
    ['README.md', ...pages.sort()].map((page) => [page, readFileSync(new URL(page, folder), 'utf8')]),
  );
}
