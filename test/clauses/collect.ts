import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import type { CollectedTest } from './clauses.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * All tests by their full names, tables expanded. Nothing is run; and since nothing runs, nothing needs a process
 * of its own: without isolation the packages are read once, not once a file.
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
    return testModules.flatMap(({ moduleId, children }) =>
      Array.from(children.allTests())
        // What is skipped or still to be written shows nothing.
        .filter(({ options }) => options.mode === 'run' || options.mode === 'only')
        .map(({ fullName }) => ({ file: relative(root, moduleId).replaceAll('\\', '/'), name: fullName })),
    );
  } finally {
    await vitest.close();
  }
}
