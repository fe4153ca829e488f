import type { TestProject } from 'vitest/node';

/** Whether a finished run included every test. */
export async function isWhole(project: TestProject): Promise<boolean> {
  if (project.config.testNamePattern !== undefined) return false;
  const files = project.vitest.state.getFiles().filter(({ result }) => result !== undefined);
  const ran = new Set(files.map(({ filepath }) => filepath));
  const { testFiles } = await project.globTestFiles();
  return testFiles.every((file) => ran.has(file));
}
