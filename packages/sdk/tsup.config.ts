import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { writeDeclarations } from '../../build-support/declarations.ts';
import { thirdPartyLicenses } from '../../build-support/third-party-licenses.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  entry: { index: 'src/index.ts', node: 'src/node.ts', 'journal-conformance': 'src/journal-conformance.ts' },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/, 'openapi-fetch'],
  // A private package: its code is part of this one.
  noExternal: ['@orgchat/atomic-files'],
  sourcemap: true,
  splitting: true,
  clean: true,
  onSuccess: async () => writeDeclarations(folder, ['index.ts', 'node.ts', 'journal-conformance.ts']),
  esbuildPlugins: [thirdPartyLicenses(folder)],
});
