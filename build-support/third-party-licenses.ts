/*
 * Writes THIRD_PARTY_LICENSES beside a package's README: the license of every package whose code is in its bundle.
 * MIT, ISC and BSD all require that their text travels with copies of the code. `bundled-packages.json` has their names
 * and versions, for the bill of materials of a release.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { bundledPackages, readManifest } from './bundled-packages.ts';

const licenseFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

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

/** Returns the content of `bundled-packages.json`. */
function composeList(folders: readonly string[]): string {
  const packages = folders.map((folder) => {
    const { name, version, license } = readManifest(folder);
    return { name, version, license };
  });
  const sorted = [...new Set(packages.map((one) => JSON.stringify(one)))].sort();
  return `${JSON.stringify(
    sorted.map((text) => JSON.parse(text)),
    null,
    2,
  )}\n`;
}

/** A bundle that is in the package too, and of which the build with this plugin does not know what it contains. */
interface OtherBundle {
  readonly metafile: Metafile;
  readonly workingFolder: string;
}

/** The namespaces of what plugins wrote into a bundle, such as the finished page of the inspector. */
const listNamespaces = ({ inputs }: Metafile): string[] => [
  ...new Set(Object.keys(inputs).flatMap((input) => /^([a-z][a-z-]+):/.exec(input)?.[1] ?? [])),
];

/**
 * An esbuild plugin that writes THIRD_PARTY_LICENSES and bundled-packages.json into a package's folder at the end of each
 * build. The build fails if the bundle contains data in a namespace that is not named here: nobody would know what it contains.
 *
 * @param packageFolder The folder with the package's package.json; esbuild must run there.
 * @param others The other bundles of the package, by namespace if the bundle contains them as data, or else by file.
 */
export function thirdPartyLicenses(
  packageFolder: string,
  others: Readonly<Record<string, () => Promise<OtherBundle>>> = {},
): Plugin {
  return {
    name: 'third-party-licenses',
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(async ({ metafile, errors }) => {
        if (!metafile || errors.length > 0) return;
        for (const namespace of listNamespaces(metafile)) {
          if (namespace in others) continue;
          throw new Error(
            `The bundle contains "${namespace}", whose packages are not known. Pass the bundle that it is made of to thirdPartyLicenses().`,
          );
        }
        const bundles = await Promise.all(Object.values(others).map((load) => load()));
        const folders = [
          ...bundledPackages(metafile, build.initialOptions.absWorkingDir ?? process.cwd()),
          ...bundles.flatMap((bundle) => bundledPackages(bundle.metafile, bundle.workingFolder)),
        ];
        const text = composeLicenses(readManifest(packageFolder).name ?? packageFolder, folders);
        writeFileSync(join(packageFolder, 'THIRD_PARTY_LICENSES'), text);
        writeFileSync(join(packageFolder, 'bundled-packages.json'), composeList(folders));
      });
    },
  };
}
