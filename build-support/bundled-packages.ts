import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';

/** What the package.json of an installed package says about it. */
export interface InstalledManifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

export function readManifest(folder: string): InstalledManifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as InstalledManifest;
}

/** Returns the folder of the installed package that a file belongs to, or undefined if it is not an installed one. */
function findPackageFolder(file: string): string | undefined {
  let folder = dirname(file);
  while (/[/\\]node_modules[/\\]/.test(`${folder}/`)) {
    // Some packages have a package.json without name and version in a subfolder, only to say how its files are loaded.
    const manifest = existsSync(join(folder, 'package.json')) ? readManifest(folder) : {};
    if (manifest.name && manifest.version) return folder;
    folder = dirname(folder);
  }
  return undefined;
}

/** Returns the folders of the packages of which a bundle contains at least one byte. */
export function bundledPackages(metafile: Metafile, workingFolder: string): string[] {
  const folders = new Set<string>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = bytesInOutput > 0 ? findPackageFolder(resolve(workingFolder, input)) : undefined;
      if (folder !== undefined) folders.add(folder);
    }
  }
  return [...folders];
}
