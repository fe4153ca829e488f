import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

/* The fixtures under the real runners, each in a process of its own, with the built package. */

const folder = fileURLToPath(new URL('../../test-support/runners', import.meta.url));
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

const run = (...args: string[]): Run => runIn(folder, ...args);

function runIn(cwd: string, ...args: string[]): Run {
  const { VITEST: _vitest, NODE_ENV: _environment, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    // Colors would split what is searched for.
    env: { ...env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  return { status, stdout, printed: stdout + stderr };
}

/** The line of the request that the failing test sent. */
const line = /req-[0-9a-f]+ create-tags 200, applied/g;
const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

describe('the fixtures', () => {
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

describe('the test that the README shows', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const project = mkdtempSync(join(tmpdir(), 'readme-'));
  afterAll(() => rmSync(project, { recursive: true }));
  // The packages are found as in a project of a user.
  symlinkSync(
    fileURLToPath(new URL('../../../../node_modules', import.meta.url)),
    join(project, 'node_modules'),
  );

  /** Writes the code below a heading into a file. */
  const write = (heading: string, file: string): void => {
    const [, section = ''] = readme.split(`\n### ${heading}\n`);
    const [, code = ''] = /^```\w+\n([\s\S]*?)^```$/m.exec(section) ?? [];
    // Nobody answers at the address of the page that it opens.
    const here = code.replace('https://app.example.com/tags', 'data:text/html,<title>Tags</title>');
    writeFileSync(join(project, file), here);
  };

  it('passes in vitest', () => {
    write('Test with vitest', 'readme.test.mjs');
    const { printed, status } = runIn(project, binary('vitest', 'vitest.mjs'), 'run');
    expect(printed).toMatch(/Tests +1 passed \(1\)/);
    expect(status).toBe(0);
  });

  it('passes in node:test', () => {
    write('Test with node:test', 'readme.node.mjs');
    expect(runIn(project, '--test-reporter=spec', 'readme.node.mjs').printed).toMatch(/pass 1\n.*fail 0/);
  });

  it('passes in Jest', () => {
    write('Test with Jest', 'readme.jest.cjs');
    const config = { testMatch: ['**/*.jest.cjs'], transformIgnorePatterns: ['/dist/'] };
    const args = ['--ci', '--rootDir', project, '--config', JSON.stringify(config)];
    expect(runIn(project, binary('jest', 'bin/jest.js'), ...args).printed).toMatch(
      /Tests: +1 passed, 1 total/,
    );
  });

  it.runIf(process.platform === 'linux')('passes in the runner of Playwright, with a page', () => {
    write('Test with Playwright', 'readme.playwright.mjs');
    const base = JSON.stringify(join(folder, 'browser.config.mjs'));
    const config = `import base from ${base};\nexport default { ...base, testMatch: 'readme.playwright.mjs' };\n`;
    writeFileSync(join(project, 'playwright.config.mjs'), config);
    const cli = binary('@playwright/test', 'cli.js');
    expect(runIn(project, cli, 'test', '--reporter=line').printed).toContain('1 passed');
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
