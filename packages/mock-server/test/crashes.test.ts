import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeCommonJs } from '../../../build-support/module-systems.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
// In the package, because bundles look for what they do not contain from there.
const cache = join(folder, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const build = mkdtempSync(join(cache, 'crashing-'));
const code = join(build, 'cjs');

beforeAll(async () => {
  const tsup = join(folder, '../../node_modules/tsup/dist/cli-default.js');
  const config = ['--config', 'test-support/crashing.tsup.config.ts'];
  const options = [...config, '--out-dir', join(build, 'esm'), '--silent'];
  execFileSync(process.execPath, [tsup, ...options], { cwd: folder, stdio: 'pipe' });
  await writeCommonJs(join(build, 'esm'), code, { sourcesContent: false });
});
afterAll(() => rmSync(build, { recursive: true }));

/** What Node prints when the built package throws an error that nobody catches. */
const crash = (...nodeOptions: readonly string[]): string => {
  const script = `require(${JSON.stringify(join(code, 'index.js'))}).createMock();`;
  return spawnSync(process.execPath, [...nodeOptions, '--eval', script], { encoding: 'utf8' }).stderr;
};

test('an error that nobody catches is printed with names, not with the text of the bundle', () => {
  const printed = crash();
  expect(printed).toMatch(/^TypeError: planted\n {4}at (?:Object\.)?createMock \(/m);
  expect(printed.split('\n').filter((line) => line.length > 200)).toEqual([]);
});

test('--enable-source-maps prints the file and line of the source', () => {
  const source = readFileSync(join(folder, 'src/create-mock.ts'), 'utf8');
  const line = source.slice(0, source.indexOf('checkOptions(options);')).split('\n').length;
  expect(crash('--enable-source-maps')).toContain(
    `createMock (${join(folder, 'src/create-mock.ts')}:${line}:`,
  );
});

test('no line of the package is long, but for texts', () => {
  const lines = readdirSync(code)
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => readFileSync(join(code, file), 'utf8').split('\n'));
  const long = lines.filter(
    (line) => line.length > 500 && !/^var \w+ = (?:async \(\) => \w+ \?\?= \w+\()?["'`]/.test(line),
  );
  expect(long.map((line) => line.slice(0, 80))).toEqual([]);
  expect(lines.length).toBeGreaterThan(10_000);
});
