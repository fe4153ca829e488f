import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { thirdPartyLicenses } from '../../build-support/third-party-licenses.ts';

export default defineConfig({
  entry: { index: 'src/index.ts', node: 'src/node.ts', 'journal-conformance': 'src/journal-conformance.ts' },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/, 'openapi-fetch'],
  dts: true,
  splitting: true,
  clean: true,
  esbuildPlugins: [thirdPartyLicenses(fileURLToPath(new URL('.', import.meta.url)))],
});
