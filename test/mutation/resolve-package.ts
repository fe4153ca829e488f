import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Exports = Readonly<Record<string, string | { readonly 'orgchat-source'?: string }>>;

/**
 * Returns the source of a package below `root`. In Stryker's copy, Node would find the packages that it was copied from,
 * which have no mutants.
 */
export function resolvePackage(root: string, id: string): string {
  const [, name = '', ...path] = id.split('/');
  const folder = join(root, name === 'spec' ? name : `packages/${name}`);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { exports: Exports };
  const entry = ['.', ...path].join('/');
  for (const [pattern, target] of Object.entries(manifest.exports)) {
    const [start = '', end] = pattern.split('*');
    const isMatch = end === undefined ? entry === pattern : entry.startsWith(start);
    const source = typeof target === 'string' ? target : target['orgchat-source'];
    if (isMatch && source !== undefined) return join(folder, source.replace('*', entry.slice(start.length)));
  }
  throw new Error(`${id} is not an entry of ${folder}.`);
}
