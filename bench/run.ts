/*
 * `npm run bench`: everything against everything, into bench/RESULTS.md and bench/results.svg.
 * `npm run bench -- sdk start`: only these suites, on the terminal. `--no-build` takes the packages as they are;
 * `--rounds N` makes at most so many rounds.
 */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { picture } from './report/picture.ts';
import { surroundings } from './report/surroundings.ts';
import { table } from './report/table.ts';
import { Child } from './support/channel.ts';
import { bench, built } from './support/places.ts';
import { prepareAll } from './support/prepare.ts';
import type { Row } from './support/row.ts';

const suites = [
  'http',
  'fetch',
  'scale',
  'durable',
  'sandboxes',
  'start',
  'bulk',
  'sdk',
  'concurrency',
  'size',
];

const { values, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { 'no-build': { type: 'boolean', default: false }, rounds: { type: 'string' } },
});
const unknown = chosen.filter((name) => !suites.includes(name));
if (unknown.length > 0)
  throw new Error(`No such suite: ${unknown.join(', ')}. There are: ${suites.join(', ')}`);

if (values.rounds !== undefined) process.env.ORGCHAT_BENCH_ROUNDS = values.rounds;
prepareAll(!values['no-build']);

const [busy = 0] = loadavg();
const rows: Row[] = [];
for (const name of chosen.length > 0 ? chosen : suites) {
  const begun = performance.now();
  process.stderr.write(`${name} …`);
  const child = new Child([join(built, 'workers/suite.js'), name]);
  // A suite that fails is told of; the others still run.
  const found = await child.ask<Row[]>('run').catch((error: Error) => {
    process.stderr.write(` ${error.message}\n`);
    process.exitCode = 1;
    return [];
  });
  rows.push(...found);
  await child.stop();
  process.stderr.write(` ${Math.round((performance.now() - begun) / 1000)} s\n`);
}

if (chosen.length > 0) console.log(table(rows));
else {
  writeFileSync(join(bench, 'results.svg'), picture(rows));
  writeFileSync(join(bench, 'RESULTS.md'), `${surroundings(busy)}\n${table(rows)}`);
  console.log(table(rows));
}
