import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';
import { embedInspector, loadInspectorBundle } from '../../build-support/embed-inspector.ts';
import { omitCallTexts } from '../../build-support/omit-call-texts.ts';
import { thirdPartyLicenses } from '../../build-support/third-party-licenses.ts';
import { bundleBrowser } from './bundle-browser.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

const entry = {
  index: 'src/index.ts',
  msw: 'src/msw.ts',
  jest: 'src/testing/jest.ts',
  'node-test': 'src/testing/node-test.ts',
  playwright: 'src/testing/playwright.ts',
  vitest: 'src/testing/vitest.ts',
};

/** Writes ES modules; `write-module-systems.ts` then makes what the package has of them. */
export const config = {
  entry,
  outDir: 'dist/esm',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // The contract is bundled, so that nothing private is left to install.
  noExternal: [/^@orgchat\/spec$/, 'fastest-levenshtein', 'zod', 'yaml'],
  external: ['libsql', 'msw', 'vitest', '@jest/globals', '@playwright/test', '@orgchat/sdk'],
  // Readable code, for people whose test fails in it, and maps that lead to the sources. The sources are in the repository.
  sourcemap: true,
  esbuildOptions(options) {
    options.sourcesContent = false;
  },
  esbuildPlugins: [
    omitCallTexts,
    embedInspector,
    thirdPartyLicenses(folder, {
      'embedded-inspector': loadInspectorBundle,
      'browser.js': () => bundleBrowser('esm'),
    }),
  ],
  dts: {
    // The code of this one is written by the second step.
    entry: { ...entry, browser: 'src/browser/index.ts' },
    compilerOptions: { stripInternal: true, baseUrl: root },
  },
  splitting: true,
  clean: true,
} satisfies Options;

export default defineConfig(config);
