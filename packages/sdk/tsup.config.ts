import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { writeModuleSystems } from '../../build-support/module-systems.ts';
import { thirdPartyLicenses } from '../../build-support/third-party-licenses.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const entries = ['index', 'node', 'journal-conformance'];

export default defineConfig({
  entry: entries.map((entry) => `src/${entry}.ts`),
  outDir: 'dist/esm',
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/, 'openapi-fetch'],
  // A private package: its code is part of this one.
  noExternal: ['@orgchat/atomic-files'],
  sourcemap: true,
  // Constants are written where they are used, also those of other files.
  esbuildOptions(options) {
    options.minifySyntax = true;
  },
  splitting: true,
  clean: true,
  onSuccess: () => writeModuleSystems(folder, entries),
  esbuildPlugins: [thirdPartyLicenses(folder)],
});
