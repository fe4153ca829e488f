import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/test-support/longest-first.ts';

/**
 * Tests run against the source of every package, so a test never depends on a build being fresh. The condition is that
 * of the `exports` in package.json, which TypeScript and the builds use too.
 */
const conditions = ['orgchat-source', 'module', 'node', 'development|production'];

/** The file for the counts of a run, if `.ci/run` sets it. */
const report = process.env.ORGCHAT_TEST_REPORT;

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{spec,packages,examples,test,bench,build-support}/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      '**/*.services.test.ts',
      'test/{services,contract/prism,models/concurrent-apply}/**',
    ],
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    setupFiles: ['./test/process-state.ts', './test/setup.ts', './test/contract/answer-check/setup.ts'],
    globalSetup: [
      './test/temporary-folder.ts',
      './test/contract/answer-check/global-setup.ts',
      './test/contract/clauses/global-setup.ts',
    ],
    // The files of a worker share its process and what it has read of the packages, which takes longer than most tests.
    // So a test file must leave no clock, global or environment variable behind.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Many tests wait for processes or timers, so one more worker than cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for may take long on a busy machine, and a test that passes does not wait for it.
    expect: { poll: { timeout: 10_000 } },
  },
});
