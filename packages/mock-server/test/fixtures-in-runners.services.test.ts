import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

/* The fixtures under the real runners, each in a process of its own, with the built package. */

const folder = fileURLToPath(new URL('../test-support/runners', import.meta.url));
const require = createRequire(import.meta.url);
const binary = (name: string, path: string): string =>
  join(dirname(require.resolve(`${name}/package.json`)), path);

const output = mkdtempSync(join(tmpdir(), 'fixtures-'));
afterAll(() => rmSync(output, { recursive: true }));

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  /** Everything that the runner printed. */
  readonly printed: string;
}

function run(...args: string[]): Run {
  const { VITEST: _vitest, NODE_ENV: _environment, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    // Colors would split what is searched for.
    env: { ...env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  return { status, stdout, printed: stdout + stderr };
}

/** The line of the request that the failing test sent. */
const line = /req-[0-9a-f]+ create-tags 200, applied/g;
const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

describe('the fixtures', { timeout: 120_000 }, () => {
  it('say how to install the SDK if it is missing', () => {
    const project = join(output, 'without-sdk');
    const installed = join(project, 'node_modules/@orgchat/mock-server');
    const built = dirname(require.resolve('@orgchat/mock-server/package.json'));
    for (const name of ['dist', 'package.json'])
      cpSync(join(built, name), join(installed, name), { recursive: true });
    for (const [file, load] of [
      ['test.mjs', "import { fixture } from '@orgchat/mock-server/node-test';"],
      ['test.cjs', "const { fixture } = require('@orgchat/mock-server/node-test');"],
    ] as const) {
      writeFileSync(join(project, file), `${load} fixture({ after() {}, diagnostic() {} });`);
      const { status, printed } = run(join(project, file));
      expect(status).toBe(1);
      expect(printed).toMatch(
        /fixtures of @orgchat\/mock-server require @orgchat\/sdk.*npm pack --workspace @orgchat\/sdk/,
      );
    }
  });

  it('work in Jest as it is by default, and print the requests of a failed test', () => {
    const jest = binary('jest', 'bin/jest.js');
    const { status, printed } = run(
      jest,
      '--ci',
      '--rootDir',
      folder,
      '--config',
      JSON.stringify({ testMatch: ['**/*.jest.test.cjs'], transformIgnorePatterns: ['/dist/'] }),
    );
    expect(printed).toMatch(/Tests: +1 failed, 1 skipped, 1 todo, 7 passed, 10 total/);
    expect(status).toBe(1);
    expect(printed).toContain('fails after a request\n');
    expect(countMatches(printed, line)).toBe(1);
    expect(printed).not.toContain('create-templates');
  });

  it('work in vitest, and print the requests of a failed test', () => {
    const { status, printed } = run(binary('vitest', 'vitest.mjs'), 'run', '--root', folder);
    expect(printed).toMatch(/Tests +1 failed \| 1 passed/);
    expect(status).toBe(1);
    expect(countMatches(printed, line)).toBe(1);
  });

  it('work in node:test, and print the requests of a failed test', () => {
    const { status, printed } = run('--test', '--test-reporter=spec', 'fixtures.node-test.mjs');
    expect(printed).toMatch(/pass 1\n.*fail 1/);
    expect(status).toBe(1);
    expect(countMatches(printed, line)).toBe(1);
  });

  it('work in the runner of Playwright, and attach the requests of a failed test', () => {
    const cli = binary('@playwright/test', 'cli.js');
    const config = join(folder, 'playwright.config.mjs');
    const { status, stdout, printed } = run(
      cli,
      'test',
      '--config',
      config,
      '--reporter=json',
      '--output',
      output,
    );
    expect(printed).toContain('"stats"');
    const { stats, suites } = JSON.parse(stdout) as Report;
    expect(stats).toMatchObject({ expected: 5, unexpected: 1, flaky: 0 });
    expect(status).toBe(1);
    const attached = suites.flatMap(({ specs }) =>
      specs.flatMap(({ title, tests }) =>
        tests.flatMap(({ results }) =>
          results.flatMap(({ attachments }) =>
            attachments.flatMap((attachment) =>
              // Playwright adds one of its own.
              attachment.name.startsWith('orgchat') ? [{ title, ...attachment }] : [],
            ),
          ),
        ),
      ),
    );
    expect(attached.map(({ title, name }) => `${title}: ${name}`)).toEqual([
      'fails after a request: orgchat-requests.txt',
      'fails after a request: orgchat-requests.json',
    ]);
    const [text = '', json = ''] = attached.map(({ body }) => Buffer.from(body, 'base64').toString());
    expect(countMatches(text, line)).toBe(1);
    expect(JSON.parse(json)).toMatchObject([{ action: 'create-tags', status: 200, applied: true }]);
  });
});

/** The report of Playwright, as far as it is looked at. */
interface Report {
  readonly stats: object;
  readonly suites: readonly {
    readonly specs: readonly {
      readonly title: string;
      readonly tests: readonly {
        readonly results: readonly {
          readonly attachments: readonly { readonly name: string; readonly body: string }[];
        }[];
      }[];
    }[];
  }[];
}
