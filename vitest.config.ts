import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Tests run against the source of every package, so a test never depends on a build being fresh. */
const alias = [
  { find: /^@orgchat\/spec$/, replacement: source('./spec/src/index.ts') },
  { find: /^@orgchat\/(sdk|mock-server)$/, replacement: source('./packages/$1/src/index.ts') },
  { find: /^@orgchat\/(sdk|mock-server)\/([\w-]+)$/, replacement: source('./packages/$1/src/$2.ts') },
];

/** Where the gate wants the counts of a run written, if it does. */
const report = process.env.ORGCHAT_TEST_REPORT;

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['{spec,packages,examples,test,bench,build-support}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'test/services/**'],
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    setupFiles: ['./test/setup.ts', './test/judge/setup.ts'],
    globalSetup: ['./test/temporary-folder.ts', './test/judge/global-setup.ts'],
    // Many tests wait for processes they start, so a worker per core keeps the cores busy; the default is one less.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
