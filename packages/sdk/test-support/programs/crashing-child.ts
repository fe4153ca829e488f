/*
 * Applies changes with a file journal and kills itself with SIGKILL just before its nth step in the file system, so
 * that every instant between two steps is met. Arguments: base URL, folder, n.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [baseUrl = '', folder = '', step = '0'] = process.argv.slice(2);
let steps = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal arrives before this ends.
  for (;;);
}

function counted<A extends readonly unknown[], R>(call: (...args: A) => R): (...args: A) => R {
  return (...args) => (++steps === Number(step) ? die() : call(...args));
}

const { createClient } = await import('../../src/index.ts');
const { fileJournal } = await import('../../src/node.ts');
const journal = fileJournal(folder);
const client = createClient({ baseUrl, apiKey: 'demo-write-key', pacing: false, journal });
// The first change creates the folders of the journal, so that the count begins at the second.
await client.templates.create({ name: 'Crash 0', text: 'x' });
for (const name of [
  'openSync',
  'writeFileSync',
  'closeSync',
  'linkSync',
  'unlinkSync',
  'renameSync',
] as const) {
  Object.assign(fs, { [name]: counted(fs[name] as (...args: readonly unknown[]) => unknown) });
}
syncBuiltinESMExports();
for (let n = 1; ; n++) {
  await client.templates.create({ name: `Crash ${n}`, text: 'x' });
  process.stdout.write(`${n} ${steps}\n`);
}
