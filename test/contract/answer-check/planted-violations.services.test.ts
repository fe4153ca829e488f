import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const folder = mkdtempSync(join(tmpdir(), 'orgchat-planted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs tests whose answers violate the document. */
function runPlanted(file: string) {
  const outputFile = join(folder, `${file}.json`);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      vitest,
      'run',
      file,
      '--config',
      'test/contract/answer-check/planted-violations/vitest.config.ts',
      '--reporter',
      'json',
      '--outputFile',
      outputFile,
    ],
    // This nested run must not overwrite the report of the outer one.
    { cwd: root, encoding: 'utf8', env: { ...process.env, ORGCHAT_TEST_REPORT: undefined } },
  );
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    exitCode: status,
    stdout,
    stderr,
    ended: Object.fromEntries(tests.map(({ title, status: how }) => [title, how])),
    said: tests.flatMap(({ failureMessages }) => failureMessages).join('\n'),
    files: testResults.map(({ status: how }) => how),
  };
}

/* Proves that the check detects violations: the same mock against a document that it violates. */
describe('an answer that violates the document', () => {
  it('fails the test that received it', () => {
    const { exitCode, ended, said, files, stdout, stderr } = runPlanted('worker.planted.ts');
    expect(ended).toEqual({
      'an undeclared status': 'failed',
      'a wrong body': 'failed',
      'an answer that is allowed': 'passed',
      'is of no single test': 'passed',
    });
    expect(said).toContain('GET /api/v1/me → 401, by vitest: getAccount does not declare this status');
    expect(said).toContain("GET /api/v1/me → 200, by vitest: body must have required property 'neverThere'");
    expect(files).toEqual(['failed']);
    expect(stdout).toMatch(/5 answers checked .* 3 violations/);
    expect(stderr.match(/→ \d+, by vitest/g)).toHaveLength(3);
    expect(exitCode).toBe(1);
  });

  it('fails the run if a child process gave it', () => {
    const { exitCode, ended, stdout, stderr } = runPlanted('child.planted.ts');
    expect(Object.values(ended)).toEqual(['passed']);
    expect(stdout).toMatch(/2 answers checked .* 2 by orgchat.cjs \(1 process\); 2 violations/);
    expect(stderr).toContain(
      "GET /api/v1/me → 200, by orgchat.cjs: body must have required property 'neverThere'",
    );
    expect(stderr).toContain('GET /api/v1/me → 401, by orgchat.cjs: getAccount does not declare this status');
    expect(exitCode).toBe(1);
  });
});
