import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { version } from '../package.json';
import { createProgram } from '../src/program.ts';
import { builtCommand } from '../test-support/build.ts';

/** The help of the root as text. */
function rootHelp(): string {
  const parts: string[] = [];
  const program = createProgram({ exitCode: 0 });
  program.configureOutput({ writeOut: (part) => void parts.push(part), getOutHelpWidth: () => 80 });
  program.outputHelp();
  return parts.join('');
}

const built = join(dirname(builtCommand().entry), '..');
const folder = mkdtempSync(join(tmpdir(), 'orgchat-launcher-'));
const alone = join(folder, 'bin/orgchat.cjs');
beforeAll(() => {
  cpSync(built, folder, { recursive: true });
  rmSync(join(folder, 'dist/cli.cjs'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Holds a process back until its stdin ends. */
const gate = 'data:text/javascript,for await (const _ of process.stdin);';

const printed = (...args: readonly string[]) =>
  execFileSync(process.execPath, [alone, ...args], { encoding: 'utf8', stdio: 'pipe' });

test('the build is a bundle, what is large and rarely needed, their maps, and the text of the root help', () => {
  const code = ['cli.cjs', 'control-openapi.cjs', 'inspector.cjs', 'openapi.cjs', 'yaml.cjs'];
  const files = [...code, ...code.map((file) => `${file}.map`), 'help.txt'];
  expect(readdirSync(join(built, 'dist')).sort()).toEqual(files.sort());
});

test.each([
  [['--version'], `${version}\n`],
  [['-V'], `${version}\n`],
  [['--help'], rootHelp()],
  [['-h'], rootHelp()],
  [['help'], rootHelp()],
  [[], rootHelp()],
])('%j is answered without the bundle, as commander would', (args, expected) => {
  expect(printed(...args)).toBe(expected);
});

test('everything else is left to the bundle', () => {
  expect(() => printed('help', 'exit-codes')).toThrow("Cannot find module '../dist/cli.cjs'");
});

describe.each(['--version', '--help'])('what %s prints', (arg) => {
  test('can be piped to a closed reader', async () => {
    const child = spawn(process.execPath, ['--import', gate, alone, arg], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    child.stdin.end();
    const [[code], said] = await Promise.all([once(child, 'close'), textOf(child.stderr)]);
    expect([code, said]).toEqual([0, '']);
  });

  test.runIf(existsSync('/dev/full'))('may have no place, which is an error without a stack', () => {
    const full = openSync('/dev/full', 'w');
    try {
      const { status, stderr } = spawnSync(process.execPath, [alone, arg], {
        encoding: 'utf8',
        stdio: ['ignore', full, 'pipe'],
      });
      expect(stderr).toMatch(/^orgchat: cannot write output: ENOSPC.*\n {2}next: free up disk space\n$/);
      expect(status).toBe(1);
    } finally {
      closeSync(full);
    }
  });
});
