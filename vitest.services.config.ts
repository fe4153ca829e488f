import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * `npm run test:services`: what needs real terminals, other runtimes, servers that are not ours, or many processes or
 * connections. A test is named `*.services.test.ts`, beside its source or in the folder `test` of its package.
 */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      'test/{services,contract/prism,models/concurrent-apply}/**/*.test.ts',
      '{packages,examples,test}/**/*.services.test.ts',
    ],
    // The inspector and the site are tested in Debian's Chromium.
    exclude: [
      '**/node_modules/**',
      ...(process.platform === 'linux' ? [] : ['packages/inspector/**', 'test/services/site/**']),
    ],
    setupFiles: ['./test/setup.ts'],
    globalSetup: ['./test/temporary-folder.ts'],
    // Five at a time on any machine: each starts programs of its own, and waits for them or for time most of the time.
    maxWorkers: 5,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Shorter than a minute, which is how long a hold lasts that nobody gives back.
    expect: { poll: { timeout: 30_000 } },
  },
});
