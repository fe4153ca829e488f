import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { rootHelp } from './src/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources: Record<string, string> = {
  '@orgchat/spec': 'spec/src/index.ts',
  '@orgchat/sdk': 'packages/sdk/src/index.ts',
  '@orgchat/sdk/node': 'packages/sdk/src/node.ts',
  '@orgchat/mock-server': 'packages/mock-server/src/index.ts',
};

/**
 * The other packages are bundled from their sources, so that building the command depends on no build order.
 * None of their modules does anything but declare, so what a command does not use is left out of its chunk.
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

export default defineConfig({
  entry: { cli: 'src/cli.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Each command is a chunk of its own, read only when it is asked for.
  splitting: true,
  minify: true,
  clean: true,
  // What is native, and optional, stays a package of its own.
  external: ['libsql', '@napi-rs/keyring'],
  noExternal: [/^(?!libsql$|@napi-rs\/keyring$)/],
  // Some of what is bundled is CommonJS and asks for Node's modules by require().
  banner: {
    js: "import{createRequire as __orgchatRequire}from'node:module';const require=__orgchatRequire(import.meta.url);",
  },
  // The help of the root is written now, so that printing it later takes no more than that.
  define: { ROOT_HELP: JSON.stringify(rootHelp()) },
  esbuildPlugins: [fromSource],
});
