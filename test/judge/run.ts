import type { TestProject } from 'vitest/node';
import type { OpenApiDocument } from '../../spec/testing/document.ts';
import { armJudge } from './arm.ts';
import { describeRecords, describeViolation, type Records } from './records.ts';

/** A whole run gives about twice as many answers; with fewer the judge was asleep. */
const floors = { all: 20_000, byChildren: 500 };

/**
 * Judges all answers of a test run, those of the processes it starts included. Gives what ends the judging: it says
 * how many there were, and fails the run where one of them broke the document.
 */
export async function judgeRun(
  project: TestProject,
  document: OpenApiDocument,
): Promise<() => Promise<void>> {
  const judge = await armJudge(document);
  return async () => {
    const records = judge.records();
    judge.disarm();
    const ran = project.vitest.state.getFiles().filter(({ result }) => result !== undefined);
    // Tests were only collected.
    if (ran.length === 0) return;
    const problems = records.violations.map(describeViolation);
    if (await isWhole(project, new Set(ran.map(({ filepath }) => filepath))))
      problems.push(...slumber(records));
    if (records.judged + records.excepted > 0)
      console.log(`${describeRecords(records)}; ${records.violations.length} violations\n`);
    if (problems.length === 0) return;
    console.error(problems.join('\n'));
    process.exitCode = 1;
  };
}

/** Whether every test there is was to run. */
async function isWhole(project: TestProject, ran: ReadonlySet<string>): Promise<boolean> {
  if (project.config.testNamePattern !== undefined) return false;
  const { testFiles } = await project.globTestFiles();
  return testFiles.every((file) => ran.has(file));
}

function slumber({ judged, programs }: Records): string[] {
  const byTests = programs.vitest?.answers ?? 0;
  const given = { all: judged, byChildren: judged - byTests };
  return (Object.keys(floors) as (keyof typeof floors)[])
    .filter((what) => given[what] < floors[what])
    .map((what) => `Only ${given[what]} answers were judged (${what}), of at least ${floors[what]}.`);
}
