import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import root from '../../vitest.config.ts';
import { bundleFolder, groups } from './groups.ts';

const group = groups[process.env.ORGCHAT_MUTATION_GROUP ?? ''];

export default defineConfig({
  resolve: { ...root.resolve },
  test: {
    include: group?.isBundled ? [`${bundleFolder}/{packages,test}/**/*.js`] : [...(group?.tests ?? [])],
    setupFiles: [fileURLToPath(new URL('../setup.ts', import.meta.url))],
    server: { deps: { external: [/\/bundle\/chunks\//] } },
    isolate: group?.isBundled !== true,
    fileParallelism: false,
    // Endless loops are ended by Stryker, so only a busy machine comes near it.
    testTimeout: 30_000,
  },
});
