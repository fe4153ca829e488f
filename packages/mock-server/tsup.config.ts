import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';

const spec = fileURLToPath(new URL('../../spec/src/index.ts', import.meta.url));

/** The contract is bundled from its sources, so that nothing private is left to install. */
const fromSource = {
  name: 'contract-from-source',
  setup(build: import('esbuild').PluginBuild) {
    build.onResolve({ filter: /^@orgchat\/spec$/ }, () => ({ path: spec, sideEffects: false }));
  },
};

export default defineConfig({
  entry: { index: 'src/index.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  noExternal: ['zod', 'yaml'],
  external: ['libsql'],
  esbuildPlugins: [fromSource],
  dts: { resolve: ['@orgchat/spec', 'zod'] },
  splitting: true,
  clean: true,
  // Some of what is bundled is CommonJS and asks for Node's modules by require().
  banner: { js: "import{createRequire as $r}from'node:module';const require=$r(import.meta.url);" },
});
