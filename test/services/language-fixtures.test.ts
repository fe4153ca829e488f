import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCommand } from '../../packages/cli/test-support/build.ts';

/*
 * `mock fixture`: the files for other languages as they are printed, in a project with tests of two kinds. One passes only
 * in a sandbox of its own, with a fault and a verification. The other fails, and its report says why.
 */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'language-fixtures-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const orgchat = builtCommand().entry;

/** Longer than the name of a sandbox may be, in characters that need two UTF-16 units. */
const longName = '𐐨'.repeat(210);

const readTest = (name: string): string =>
  readFileSync(new URL(`language-fixtures/${name}`, import.meta.url), 'utf8').replaceAll(
    'LONG_NAME',
    longName,
  );

/** Writes the fixture and tests into a folder of their own. */
function createProject(framework: string, fixture: string, tests: readonly string[]): string {
  const project = join(folder, framework);
  const file = join(project, fixture);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, execFileSync(process.execPath, [orgchat, 'mock', 'fixture', framework]));
  for (const name of tests) writeFileSync(join(project, name), readTest(name));
  return project;
}

interface Run {
  readonly code: number;
  /** stdout, and stderr without the report of `mock exec`. */
  readonly output: string;
  readonly report: string;
}

/** Runs the tests of a project with a mock of their own. */
async function runTests(project: string, words: readonly string[]): Promise<Run> {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', GOFLAGS: '-mod=mod' };
  const args = [orgchat, 'mock', 'exec', '--', ...words];
  const { code, stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    cwd: project,
    env,
  }).then(
    (done) => ({ ...done, code: 0 }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const [own = '', report = ''] = stderr.split('The command exited with');
  return { code, output: stdout + own, report };
}

/** What the report says of a test that failed without its sandbox. */
const expectGone = ({ output }: Run): void => {
  expect(output).toMatch(/The requests of this test cannot be shown: .*410[\s\S]*SANDBOX_GONE/);
};

/** What the report of a failed test says about its two requests. */
const expectWhy = ({ output, report }: Run): void => {
  expect(output).toMatch(/Requests that the mock received:\n.*create-tags 200, applied/);
  expect(output).toMatch(/create-tags 400 INVALID_INPUT\n +\S.*change\.data\.color/);
  expect(report).toMatch(/INVALID_INPUT {2}in sandbox ".*[fF]ails/);
};

/** The names of parameters as they are. */
const keepUnicode = ['-o', 'disable_test_id_escaping_and_forfeit_all_rights_to_community_support=true'];

test('pytest: a sandbox per test, and why a request was refused in the report of a failed one', async () => {
  const project = createProject('pytest', 'conftest.py', ['test_tags.py']);
  const run = await runTests(project, [
    'python3',
    '-m',
    'pytest',
    '-q',
    '-p',
    'no:cacheprovider',
    ...keepUnicode,
  ]);
  expect(run.output).toContain('3 failed, 4 passed');
  expect(run.output).not.toContain('INTERNALERROR');
  expect(run.output).toContain('cannot be shown: No mock server answers');
  expectGone(run);
  expect(run.code).toBe(1);
  expectWhy(run);
});

test('Go: a sandbox per test, and why a request was refused in the log of a failed one', async () => {
  const project = createProject('go', 'internal/orgchatmock/orgchatmock.go', ['tags_test.go']);
  writeFileSync(join(project, 'go.mod'), 'module example.com/tags\n\ngo 1.18\n');
  const run = await runTests(project, ['go', 'test', '-v', './...']);
  expect(run.output).toContain('--- PASS: TestRepeats');
  expect(run.output).toContain('--- PASS: TestLongName/');
  expect(run.output).toContain('--- PASS: TestDropsItsSandbox');
  expect(run.output).toContain('--- FAIL: TestFails');
  expectGone(run);
  expect(run.code).toBe(1);
  expectWhy(run);
});

/** Where the package junit5 of Debian has its jars. */
const jars = '/usr/share/java';
const isOfJunit = /^(?:junit-jupiter|junit-platform|opentest4j|apiguardian|picocli|univocity).*\.jar$/;

test('JUnit: a sandbox per test, and why a request was refused is printed for a failed one', async () => {
  const project = createProject('junit', 'orgchat/OrgchatMock.java', ['TagsTest.java', 'SharedTest.java']);
  const classpath = readdirSync(jars)
    .filter((name) => isOfJunit.test(name))
    .map((name) => join(jars, name))
    .join(':');
  execFileSync(
    'javac',
    ['-cp', classpath, '-d', 'classes', 'TagsTest.java', 'SharedTest.java', 'orgchat/OrgchatMock.java'],
    {
      cwd: project,
    },
  );
  const run = await runTests(project, [
    ...['java', '-cp', `${classpath}:classes`, 'org.junit.platform.console.ConsoleLauncher'],
    ...['--config', 'junit.jupiter.execution.parallel.enabled=true'],
    ...['--config', 'junit.jupiter.execution.parallel.config.strategy=fixed'],
    ...['--config', 'junit.jupiter.execution.parallel.config.fixed.parallelism=2'],
    ...[
      '--select-class',
      'TagsTest',
      '--select-class',
      'SharedTest',
      '--disable-banner',
      '--disable-ansi-colors',
    ],
  ]);
  expect(run.output).toMatch(/6 tests successful[\s\S]*2 tests failed/);
  expect(run.output).not.toMatch(/Suppressed/);
  expectGone(run);
  expect(run.code).toBe(1);
  expectWhy(run);
});
