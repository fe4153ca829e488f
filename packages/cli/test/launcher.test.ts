import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '../package.json';
import { rootHelp } from '../src/program.ts';
import { builtCommand } from './build.ts';

const built = join(dirname(builtCommand()), '..');
const folder = mkdtempSync(join(tmpdir(), 'orgchat-launcher-'));
const alone = join(folder, 'bin/orgchat.cjs');
beforeAll(() => {
  cpSync(built, folder, { recursive: true });
  rmSync(join(folder, 'dist/cli.cjs'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const printed = (...args: readonly string[]) =>
  execFileSync(process.execPath, [alone, ...args], { encoding: 'utf8', stdio: 'pipe' });

test('what is built is one bundled file, and the help of the root beside it', () => {
  expect(readdirSync(join(built, 'dist')).sort()).toEqual(['cli.cjs', 'help.txt']);
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

test('all else is the bundle’s', () => {
  expect(() => printed('help', 'exit-codes')).toThrow("Cannot find module '../dist/cli.cjs'");
});
