import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { thirdPartyLicenses } from '../../build-support/third-party-licenses.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const spec = `${root}spec/src/index.ts`;

/** The contract is bundled from its sources, so that nothing private is left to install. */
const fromSource = {
  name: 'contract-from-source',
  setup(build: import('esbuild').PluginBuild) {
    build.onResolve({ filter: /^@orgchat\/spec$/ }, () => ({ path: spec, sideEffects: false }));
  },
};

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    msw: 'src/msw.ts',
    vitest: 'src/vitest.ts',
    'node-test': 'src/node-test.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  noExternal: ['zod', 'yaml'],
  external: ['libsql', 'msw', 'vitest', '@orgchat/sdk'],
  minify: true,
  esbuildPlugins: [fromSource, thirdPartyLicenses(fileURLToPath(new URL('.', import.meta.url)))],
  dts: { compilerOptions: { stripInternal: true, baseUrl: root } },
  splitting: true,
  clean: true,
  // Some of what is bundled is CommonJS and asks for Node's modules by require().
  banner: {
    js: "import{createRequire as __orgchatRequire}from'node:module';const require=__orgchatRequire(import.meta.url);",
  },
});
