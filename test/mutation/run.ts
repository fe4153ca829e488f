/*
 * `npm run test:mutation` runs Stryker on each group of sources: their tests must detect small changes. Stryker is
 * installed only here and works on a copy. `npm run test:mutation -- journal` runs one group; `--incremental` tests only
 * what changed since the last run. The result of each group is written to `results/`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Group, groups } from './groups.ts';
import { type MutationReport, resultOf } from './report.ts';

const here = fileURLToPath(new URL('./', import.meta.url));
const root = join(here, '../..');
const work = join(here, '.stryker');
const results = join(here, 'results');
const modules = join(here, 'node_modules');
const given = process.argv.slice(2);
const isIncremental = given.includes('--incremental');
const asked = given.filter((arg) => arg !== '--incremental');
const known = Object.keys(groups);
const names = asked.length > 0 ? asked : known;

/** A score under `break` fails the run. */
const thresholds = { high: 95, low: 90, break: 85 };

function configure(name: string, { mutate, isBundled }: Group): string {
  const file = join(work, `${name}.config.json`);
  const config = {
    mutate,
    // Only what the tests read is copied.
    ignorePatterns: ['/bench', '/examples', '/packages/cli', 'dist', '/test/mutation/.stryker'],
    plugins: [join(modules, '@stryker-mutator/vitest-runner/dist/src/index.js')],
    ...(isBundled && {
      buildCommand: `node --import ${import.meta.resolve('tsx')} ${join(here, 'bundle.ts')}`,
    }),
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 2,
    // Of a bundle it cannot be said which of its tests changed.
    incremental: isIncremental && !isBundled,
    incrementalFile: join(work, `${name}.incremental.json`),
    // Elsewhere, for a copy of the tests in here would be run by `npm test`.
    tempDirName: join(tmpdir(), `mutation-${name}`),
    cleanTempDir: 'always',
    // Hit counts detect endless loops. This timeout is for mutants that wait; it is long, because the machine may be busy.
    timeoutMS: 60_000,
    thresholds,
    reporters: ['progress-append-only', 'html', 'json'],
    jsonReporter: { fileName: reportOf(name) },
    htmlReporter: { fileName: join(work, `${name}.html`) },
  };
  writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}

const reportOf = (name: string): string => join(work, `${name}.json`);

/** Runs one group and says whether its score is high enough. */
function run(name: string, group: Group): boolean {
  console.log(`== ${name}`);
  rmSync(reportOf(name), { force: true });
  try {
    execFileSync(join(modules, '.bin/stryker'), ['run', configure(name, group)], {
      cwd: root,
      // East of Greenwich: the threads that run the tests cannot set a time zone, and in UTC nothing shows what is read as local time.
      env: { ...process.env, ORGCHAT_MUTATION_GROUP: name, TZ: 'Asia/Tokyo' },
      stdio: 'inherit',
    });
    return true;
  } catch {
    return false;
  }
}

const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown group ${unknown.join(', ')}. Groups: ${known.join(', ')}.`);
  process.exit(2);
}
for (const folder of [work, results]) mkdirSync(folder, { recursive: true });
const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
execFileSync('npm', install, { cwd: here, stdio: 'inherit' });

const failed = names.filter((name) => !run(name, groups[name]!));
for (const name of names.filter((name) => existsSync(reportOf(name)))) {
  const result = resultOf(name, JSON.parse(readFileSync(reportOf(name), 'utf8')) as MutationReport);
  writeFileSync(join(results, `${name}.md`), result);
  console.log(`\n${result}`);
}
if (failed.length > 0) {
  console.error(`Below ${thresholds.break} %, or could not run: ${failed.join(', ')}`);
  process.exitCode = 1;
}
