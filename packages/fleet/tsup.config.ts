import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { writeModuleSystems } from '../../build-support/module-systems.ts';
import { thirdPartyLicenses } from '../../build-support/third-party-licenses.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const entries = ['bullmq', 'postgres', 'redis'];

export default defineConfig({
  entry: entries.map((entry) => `src/${entry}.ts`),
  outDir: 'dist/esm',
  format: 'esm',
  target: 'node20',
  platform: 'node',
  external: ['@orgchat/sdk', 'bullmq'],
  // The published package of the SDK does not have it.
  noExternal: ['@orgchat/sdk/internal'],
  esbuildOptions(options) {
    options.conditions = ['orgchat-source'];
  },
  splitting: true,
  clean: true,
  onSuccess: () => writeModuleSystems(folder, entries),
  esbuildPlugins: [thirdPartyLicenses(folder)],
});
