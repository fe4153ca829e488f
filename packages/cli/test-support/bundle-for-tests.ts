/*
 * `bundle-for-tests.ts FOLDER`: the command as it ships, in `dist`, and for runs in the process of the tests, in
 * `in-process`. With `crashing` after it, `orgchat account` has a bug. Prints the files of this repository that it was
 * made of, and made by, as JSON.
 */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { docSources, loadInspectorBundle } from '../../../build-support/embed-inspector.ts';
import { separateFiles } from '../../../build-support/separate-files.ts';
import { plantBug } from '../../../test/test-support/plant-bug.ts';
import { bundleCommand, packageFolder } from '../build/bundle-command.ts';

/**
 * An esbuild plugin that imports some packages that are not bundled through one module. Otherwise each module that imports
 * one copies all of its names.
 */
const importOnce = (packages: RegExp): Plugin => ({
  name: 'import-once',
  setup(build) {
    const namespace = 'import-once';
    build.onResolve({ filter: packages }, ({ kind, path, namespace: from }) =>
      kind === 'entry-point' || from === namespace ? undefined : { path, namespace },
    );
    build.onLoad({ filter: packages, namespace }, ({ path }) => ({
      contents: `export * from ${JSON.stringify(path)};`,
    }));
  },
});

/** An esbuild plugin for a keychain that belongs to no process or person: see `withKeyring`. */
const standInForKeyring: Plugin = {
  name: 'stand-in-for-keyring',
  setup(build) {
    const path = fileURLToPath(new URL('keyring-stand-in.mjs', import.meta.url));
    build.onResolve({ filter: /^@napi-rs\/keyring$/ }, () => ({ path }));
  },
};

const [folder, variant] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder for the bundle.');
const bug = plantBug(/[\\/]commands[\\/]account\.ts$/, 'async (context) => {');
const plugins = variant === 'crashing' ? [bug] : [];
const bundled = await bundleCommand(join(folder, 'dist'), plugins);
// The schemas of the contract never change, and making them takes longer than most commands: Node keeps these files.
const contract = separateFiles({ zod: 'zod', spec: '@orgchat/spec' });
const inProcess = await bundleCommand(join(folder, 'in-process'), [
  ...plugins,
  standInForKeyring,
  importOnce(/^(?:zod|@orgchat\/spec)$/),
  contract,
]);

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
  ...listOwn(inProcess, packageFolder),
  ...listOwn(builders, packageFolder),
  ...listOwn(page.metafile, page.workingFolder),
  ...Object.values(docSources),
];
console.log(JSON.stringify(own));
