import type { TestProject } from 'vitest/node';
import { document } from '../../../spec/test-support/document.ts';
import { checkTestRun } from './check-test-run.ts';

/** Checks every answer of every test and child process against the document. */
export default (project: TestProject): Promise<() => Promise<void>> => checkTestRun(project, document);
