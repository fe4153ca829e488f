import type { TestProject } from 'vitest/node';
import type { OpenApiDocument } from '../../../spec/test-support/document.ts';
import { isWhole } from '../../test-support/is-whole-run.ts';
import { describeRecords, describeViolation, type Records } from './records.ts';
import { startAnswerCheck } from './start-answer-check.ts';

/** A whole run gives about twice as many answers. With fewer, the check did not run. */
const floors = { all: 20_000, byChildren: 500 };

/**
 * Checks all answers of a test run, child processes included. The returned function reports the counts and fails
 * the run if an answer violated the document.
 */
export async function checkTestRun(
  project: TestProject,
  document: OpenApiDocument,
): Promise<() => Promise<void>> {
  const check = await startAnswerCheck(document);
  return async () => {
    const records = check.records();
    check.stop();
    const ran = project.vitest.state.getFiles().filter(({ result }) => result !== undefined);
    // The tests were only listed.
    if (ran.length === 0) return;
    const problems = records.violations.map(describeViolation);
    if (await isWhole(project)) problems.push(...missingAnswers(records));
    if (records.checked + records.excepted > 0)
      console.log(`${describeRecords(records)}; ${records.violations.length} violations\n`);
    if (problems.length === 0) return;
    console.error(problems.join('\n'));
    process.exitCode = 1;
  };
}

function missingAnswers({ checked, programs }: Records): string[] {
  const byTests = programs.vitest?.answers ?? 0;
  const given = { all: checked, byChildren: checked - byTests };
  return (Object.keys(floors) as (keyof typeof floors)[])
    .filter((what) => given[what] < floors[what])
    .map((what) => `Only ${given[what]} answers were checked (${what}), of at least ${floors[what]}.`);
}
