import type { TestProject } from 'vitest/node';
import { isWhole } from '../../test-support/is-whole-run.ts';
import { checkPage } from './check.ts';
import { collectTests } from './collect.ts';

/** Fails a whole run if a clause has no test, a title names an unknown clause, or test/CLAUSES.md is out of date. */
export default function setup(project: TestProject): () => Promise<void> {
  return async () => {
    const modules = project.vitest.state.getTestModules();
    // A file that did not load has failed already, and its tests are unknown.
    if (modules.some((module) => module.errors().length > 0) || !(await isWhole(project))) return;
    const problems = checkPage(collectTests(modules));
    if (problems.length === 0) return;
    console.error(problems.join('\n'));
    process.exitCode = 1;
  };
}
