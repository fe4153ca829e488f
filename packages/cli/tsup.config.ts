import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { embedInspector, loadInspectorBundle } from '../../build-support/embed-inspector.ts';
import { omitCallTexts } from '../../build-support/omit-call-texts.ts';
import { separateFiles } from '../../build-support/separate-files.ts';
import { thirdPartyLicenses } from '../../build-support/third-party-licenses.ts';
import { rootHelp } from './src/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources: Record<string, string> = {
  '@orgchat/spec': 'spec/src/index.ts',
  '@orgchat/spec/is-object': 'spec/src/is-object.ts',
  '@orgchat/spec/patterns': 'spec/src/patterns.ts',
  '@orgchat/spec/limits': 'spec/src/limits.ts',
  '@orgchat/spec/resources/id-fields': 'spec/src/resources/id-fields.ts',
  '@orgchat/spec/resources/names': 'spec/src/resources/names.ts',
  '@orgchat/atomic-files': 'packages/atomic-files/src/index.ts',
  '@orgchat/sdk': 'packages/sdk/src/index.ts',
  '@orgchat/sdk/node': 'packages/sdk/src/node.ts',
  // Not exported by the package: how Ctrl-C ends a call, and the rules by which both read lists, answers, records and keywords.
  '@orgchat/sdk/internal': 'packages/sdk/src/internal.ts',
  '@orgchat/sdk/shapes/labels': 'packages/sdk/src/shapes/labels.ts',
  '@orgchat/sdk/interruptible-client': 'packages/sdk/src/interruptible-client.ts',
  '@orgchat/sdk/keywords/keyword-list': 'packages/sdk/src/keywords/keyword-list.ts',
  '@orgchat/mock-server': 'packages/mock-server/src/index.ts',
  // Not exported by the package: the ranges of what both accept.
  '@orgchat/mock-server/mock-limits': 'packages/mock-server/src/mock-limits.ts',
};

/**
 * The other packages are bundled from their sources, so that building the command depends on no build order.
 * Their modules only declare, so what no command uses is left out.
 */
const fromSource = {
  name: 'from-source',
  setup(build: import('esbuild').PluginBuild) {
    build.onResolve({ filter: /^@orgchat\// }, (args) => {
      const path = sources[args.path];
      return path === undefined ? undefined : { path: resolve(root, path), sideEffects: false };
    });
    build.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, (args) => {
      if (!args.importer.startsWith(root)) return undefined;
      return { path: resolve(dirname(args.importer), args.path), sideEffects: false };
    });
  },
};

/** The help of the root is written now, so that printing it later takes no more than that. */
const writeHelp = (folder: string) => async () => writeFile(join(folder, 'help.txt'), rootHelp());

/**
 * bin/orgchat.cjs reads one file; in it, what is imported dynamically still waits until it is asked for. What is large and
 * rarely needed has a file of its own, so that the other commands do not parse it.
 */
export default defineConfig(({ outDir = 'dist' }) => ({
  entry: { cli: 'src/main.ts' },
  outDir,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: true,
  clean: true,
  // What is native and optional stays a package of its own, and so does undici: half as much as all the rest, it would
  // be read at every start, and is needed behind a proxy alone.
  external: ['libsql', '@napi-rs/keyring', 'undici'],
  noExternal: [/^(?!libsql$|@napi-rs\/keyring$|undici$)/],
  // In CommonJS the place of a module is a path, and createRequire() takes that too.
  define: { 'import.meta.url': '__filename' },
  esbuildPlugins: [
    separateFiles({
      yaml: 'yaml',
      openapi: `${root}spec/src/generated/openapi-yaml.ts`,
      'control-openapi': `${root}packages/mock-server/src/generated/control-openapi-yaml.ts`,
      inspector: '@orgchat/inspector',
    }),
    embedInspector,
    omitCallTexts,
    fromSource,
    thirdPartyLicenses(fileURLToPath(new URL('.', import.meta.url)), loadInspectorBundle),
  ],
  onSuccess: writeHelp(outDir),
}));
