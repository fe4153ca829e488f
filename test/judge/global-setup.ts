import type { TestProject } from 'vitest/node';
import { document } from '../../spec/testing/document.ts';
import { judgeRun } from './run.ts';

/** Every answer of every test, and of every process a test starts, is held to the document. */
export default (project: TestProject): Promise<() => Promise<void>> => judgeRun(project, document);
