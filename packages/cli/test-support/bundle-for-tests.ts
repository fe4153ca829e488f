/*
 * `bundle-for-tests.ts FOLDER`: the command as it ships. With `crashing` after it, `orgchat account` has a bug. Prints the
 * files of this repository that it was made of, and made by, as JSON.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { docSources, loadInspectorBundle } from '../../../build-support/embed-inspector.ts';
import { plantBug } from '../../../test/test-support/plant-bug.ts';
import { bundleCommand, packageFolder } from '../build/bundle-command.ts';

const [folder, variant] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder for the bundle.');
const bug = plantBug(/[\\/]commands[\\/]account\.ts$/, 'async (context) => {');
const bundled = await bundleCommand(folder, variant === 'crashing' ? [bug] : []);

const { metafile: builders } = await build({
  absWorkingDir: packageFolder,
  entryPoints: [fileURLToPath(import.meta.url)],
  bundle: true,
  platform: 'node',
  packages: 'external',
  format: 'esm',
  metafile: true,
  write: false,
});
/** Those of a package are in package-lock.json, and a namespace is made by a plugin. */
const listOwn = ({ inputs }: Metafile, from: string): string[] =>
  Object.keys(inputs)
    .filter((path) => !/(?:^|\/)node_modules\/|^[\w-]+:/.test(path))
    .map((path) => resolve(from, path));

const page = await loadInspectorBundle();
const own = [
  ...listOwn(bundled, packageFolder),
  ...listOwn(builders, packageFolder),
  ...listOwn(page.metafile, page.workingFolder),
  ...Object.values(docSources),
];
console.log(JSON.stringify(own));
