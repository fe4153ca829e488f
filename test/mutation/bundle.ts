/*
 * Puts the tests of a group and all they import into a few files, which a worker reads in a fraction of the time.
 * Stryker runs it in its copy, after it has put its mutants in. The copy has no dependencies of its own yet.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundleFolder, groups } from './groups.ts';
import { resolvePackage } from './resolve-package.ts';

const root = process.cwd();
const dependencies = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Keeps `import.meta.url` of each source. */
const placed: Plugin = {
  name: 'placed',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
    }));
  },
};

const copied: Plugin = {
  name: 'copied',
  setup(builder) {
    builder.onResolve({ filter: /^@orgchat\// }, ({ path }) => ({ path: resolvePackage(root, path) }));
  },
};

await build({
  absWorkingDir: root,
  nodePaths: [dependencies],
  entryPoints: [...(groups[process.env.ORGCHAT_MUTATION_GROUP ?? '']?.tests ?? [])],
  outbase: root,
  outdir: bundleFolder,
  chunkNames: 'chunks/[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // What has a state that setup files set, or is not JavaScript.
  external: ['vitest', 'fast-check', 'msw', 'libsql'],
  banner: {
    js: "import { createRequire as requirer } from 'node:module'; const require = requirer(import.meta.url);",
  },
  plugins: [placed, copied],
  logLevel: 'warning',
});
