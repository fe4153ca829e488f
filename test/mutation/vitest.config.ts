import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { bundleFolder, groups } from './groups.ts';
import { resolvePackage } from './resolve-package.ts';

const group = groups[process.env.ORGCHAT_MUTATION_GROUP ?? ''];

export default defineConfig({
  plugins: [
    {
      name: 'copied',
      enforce: 'pre',
      resolveId: (id) => (id.startsWith('@orgchat/') ? resolvePackage(process.cwd(), id) : undefined),
    },
  ],
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
