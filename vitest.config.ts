import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/test-support/longest-first.ts';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Tests run against the source of every package, so a test never depends on a build being fresh. */
const alias = [
  { find: /^@orgchat\/spec$/, replacement: source('./spec/src/index.ts') },
  {
    find: /^@orgchat\/spec\/(is-object|limits|patterns|resources\/names)$/,
    replacement: source('./spec/src/$1.ts'),
  },
  { find: /^@orgchat\/inspector$/, replacement: source('./packages/inspector/build/index.ts') },
  { find: /^@orgchat\/atomic-files$/, replacement: source('./packages/atomic-files/src/index.ts') },
  {
    find: /^@orgchat\/(atomic-files|fleet|sdk)\/test-support\/([\w-]+)$/,
    replacement: source('./packages/$1/test-support/$2.ts'),
  },
  {
    find: /^@orgchat\/mock-server\/mock-limits$/,
    replacement: source('./packages/mock-server/src/mock-limits.ts'),
  },
  { find: /^@orgchat\/(sdk|mock-server)$/, replacement: source('./packages/$1/src/index.ts') },
  {
    find: /^@orgchat\/mock-server\/(jest|node-test|playwright|vitest)$/,
    replacement: source('./packages/mock-server/src/testing/$1.ts'),
  },
  { find: /^@orgchat\/(fleet|sdk|mock-server)\/([\w/-]+)$/, replacement: source('./packages/$1/src/$2.ts') },
];

/** The file for the counts of a run, if `.ci/run` sets it. */
const report = process.env.ORGCHAT_TEST_REPORT;

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['{spec,packages,examples,test,bench,build-support}/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      '**/*.services.test.ts',
      'test/{services,prism,concurrent-apply}/**',
    ],
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    setupFiles: ['./test/process-state.ts', './test/setup.ts', './test/contract-check/setup.ts'],
    globalSetup: [
      './test/temporary-folder.ts',
      './test/contract-check/global-setup.ts',
      './test/clauses/global-setup.ts',
    ],
    // The files of a worker share its process and what it has read of the packages, which takes longer than most tests.
    // So a test file must leave no clock, global or environment variable behind.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Many tests wait for processes or timers, so one more worker than cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
