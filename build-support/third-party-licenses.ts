/*
 * Writes THIRD_PARTY_LICENSES beside a package's README: the license of every package whose code is in its bundle.
 * MIT, ISC and BSD all require that their text travels with copies of the code.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

const licenseFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

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

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Returns the folders of the packages of which a bundle contains at least one byte. */
function bundledPackages(metafile: Metafile, workingFolder: string): string[] {
  const folders = new Set<string>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = bytesInOutput > 0 ? findPackageFolder(resolve(workingFolder, input)) : undefined;
      if (folder !== undefined) folders.add(folder);
    }
  }
  return [...folders];
}

/**
 * Returns name, version, license and license text of a package.
 *
 * @throws Error if the package has no license file: its code must not be bundled before that is resolved.
 */
function describeLicense(folder: string): string {
  const { name, version, license } = readManifest(folder);
  const texts = readdirSync(folder)
    .filter((file) => licenseFile.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  if (texts.length === 0) {
    throw new Error(`${name}@${version} is bundled, but ${folder} has no license file.`);
  }
  return [`${name} ${version} (${license ?? 'license: see below'})`, ...texts].join('\n\n');
}

/** Returns the content of THIRD_PARTY_LICENSES: one section per package, sorted by name and version. */
function composeLicenses(packageName: string, folders: readonly string[]): string {
  const sections = [...new Set(folders.map(describeLicense))].sort();
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  const introduction =
    sections.length > 0
      ? `The files of ${packageName} contain code of these packages:`
      : `The files of ${packageName} contain no code of other packages.`;
  return `${[introduction, ...sections].join(rule)}\n`;
}

/** A bundle that another bundle contains as data. */
interface EmbeddedBundle {
  readonly metafile: Metafile;
  readonly workingFolder: string;
}

/**
 * An esbuild plugin that writes THIRD_PARTY_LICENSES into a package's folder at the end of each build.
 *
 * @param packageFolder The folder with the package's package.json; esbuild must run there.
 * @param loadEmbedded Returns a bundle that is embedded in this one, and of which esbuild does not know.
 */
export function thirdPartyLicenses(
  packageFolder: string,
  loadEmbedded?: () => Promise<EmbeddedBundle>,
): Plugin {
  return {
    name: 'third-party-licenses',
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(async ({ metafile, errors }) => {
        if (!metafile || errors.length > 0) return;
        const embedded = await loadEmbedded?.();
        const text = composeLicenses(readManifest(packageFolder).name ?? packageFolder, [
          ...bundledPackages(metafile, build.initialOptions.absWorkingDir ?? process.cwd()),
          ...(embedded ? bundledPackages(embedded.metafile, embedded.workingFolder) : []),
        ]);
        writeFileSync(join(packageFolder, 'THIRD_PARTY_LICENSES'), text);
      });
    },
  };
}
