import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { embedInspector, loadInspectorBundle } from '../../build-support/embed-inspector.ts';
import { omitCallTexts } from '../../build-support/omit-call-texts.ts';
import { thirdPartyLicenses } from '../../build-support/third-party-licenses.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const spec = `${root}spec/src/index.ts`;

/** The contract is bundled from its sources, so that nothing private is left to install. */
const fromSource = {
  name: 'contract-from-source',
  setup(build: import('esbuild').PluginBuild) {
    build.onResolve({ filter: /^@orgchat\/spec$/ }, () => ({ path: spec, sideEffects: false }));
  },
};

/** Writes ES modules; `write-module-systems.ts` then makes what the package has of them. */
export default defineConfig({
  entry: {
    index: 'src/index.ts',
    msw: 'src/msw.ts',
    jest: 'src/testing/jest.ts',
    'node-test': 'src/testing/node-test.ts',
    playwright: 'src/testing/playwright.ts',
    vitest: 'src/testing/vitest.ts',
  },
  outDir: 'dist/esm',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  noExternal: ['zod', 'yaml'],
  external: ['libsql', 'msw', 'vitest', '@jest/globals', '@playwright/test', '@orgchat/sdk'],
  minify: true,
  esbuildPlugins: [
    omitCallTexts,
    fromSource,
    embedInspector,
    thirdPartyLicenses(folder, loadInspectorBundle),
  ],
  dts: { compilerOptions: { stripInternal: true, baseUrl: root } },
  splitting: true,
  clean: true,
});
