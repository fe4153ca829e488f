import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest, type TestModule } from 'vitest/node';
import { type CollectedTest, withoutOwnFixtures } from './clauses.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The tests of modules, without skipped ones, which prove nothing. */
export const collectTests = (modules: readonly TestModule[]): CollectedTest[] =>
  withoutOwnFixtures(
    modules.flatMap(({ moduleId, children }) =>
      Array.from(children.allTests())
        .filter(({ options }) => options.mode === 'run' || options.mode === 'only')
        .map(({ fullName }) => ({ file: relative(root, moduleId).replaceAll('\\', '/'), name: fullName })),
    ),
  );

/**
 * Lists all tests by their full names, with tables expanded. No test runs, so the files share one process and load
 * the packages once.
 */
export async function collect(): Promise<CollectedTest[]> {
  const vitest = await createVitest('test', {
    root,
    watch: false,
    isolate: false,
    pool: 'threads',
    fileParallelism: false,
    reporters: [],
  });
  try {
    const { testModules, unhandledErrors } = await vitest.collect();
    const errors = [...unhandledErrors, ...testModules.flatMap((module) => module.errors())];
    if (errors.length > 0) throw new AggregateError(errors, JSON.stringify(errors, null, 2));
    return collectTests(testModules);
  } finally {
    await vitest.close();
  }
}
