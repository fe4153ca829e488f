/*
 * `npm run bench` runs all suites and writes bench/RESULTS.md. `npm run bench -- sdk start` runs these suites and prints
 * the table. `--no-build` uses the packages as they are built. `--rounds N` limits the rounds.
 */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { results } from './report/results.ts';
import { surroundings } from './report/surroundings.ts';
import { table } from './report/table.ts';
import { Child } from './support/child-process.ts';
import { bench, built } from './support/paths.ts';
import { prepareAll } from './support/prepare.ts';
import type { Row } from './support/row.ts';

const suites = [
  'http',
  'fetch',
  'scale',
  'durable',
  'sandboxes',
  'inspector',
  'start',
  'bulk',
  'sdk',
  'concurrency',
  'sync',
  'size',
  'fleet',
];

const { values, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { 'no-build': { type: 'boolean', default: false }, rounds: { type: 'string' } },
});
const unknown = chosen.filter((name) => !suites.includes(name));
if (unknown.length > 0) throw new Error(`Unknown suite: ${unknown.join(', ')}. Use: ${suites.join(', ')}`);

if (values.rounds !== undefined) {
  if (!/^[1-9]\d*$/.test(values.rounds)) throw new Error('--rounds must be a whole number of 1 or more.');
  process.env.ORGCHAT_BENCH_ROUNDS = values.rounds;
}

/** No suite takes half of this time. A suite that hangs is stopped. */
const limitMs = 10 * 60_000;

async function run(name: string): Promise<Row[]> {
  const child = new Child([join(built, 'workers/suite.js'), name]);
  const timer = setTimeout(() => void child.stop(), limitMs);
  try {
    return await child.ask<Row[]>('run');
  } finally {
    clearTimeout(timer);
    await child.stop();
  }
}

const [busy = 0] = loadavg();
const begun = performance.now();
prepareAll(!values['no-build']);

const rows: Row[] = [];
const failed: string[] = [];
for (const name of chosen.length > 0 ? chosen : suites) {
  const started = performance.now();
  process.stderr.write(`${name} …`);
  try {
    rows.push(...(await run(name)));
  } catch (error) {
    // The failure is reported; the other suites still run.
    process.stderr.write(` ${(error as Error).message}\n`);
    process.exitCode = 1;
    failed.push(name);
  }
  process.stderr.write(` ${Math.round((performance.now() - started) / 1000)} s\n`);
}

if (chosen.length === 0) {
  const minutes = (performance.now() - begun) / 60_000;
  writeFileSync(join(bench, 'RESULTS.md'), results(rows, failed, surroundings(busy, minutes)));
}
console.log(table(rows));
