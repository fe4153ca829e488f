import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshShot, median, rate, spread } from './load.ts';
import { start } from './spawn.ts';

/* Creates with a data file against creates in memory, 20 connections, interleaved rounds. */
const folder = mkdtempSync(join(tmpdir(), 'orgchat-bench-'));
const memory = await start('./mock-server.ts');
const kept = await start('./mock-server.ts', [join(folder, 'data.db')]);
const change = { change: { action: 'create-tags', data: { name: 'Bench', color: 'blue' } } };
const [inMemory, inFile]: [number[], number[]] = [[], []];
for (let round = 0; round < 7; round++) {
  inMemory.push(await rate(memory.port, freshShot(memory.port, '/chat/changes', change), 1000));
  inFile.push(await rate(kept.port, freshShot(kept.port, '/chat/changes', change), 1000));
}
const ratios = inFile.map((value, i) => value / (inMemory[i] ?? Number.NaN)).slice(1);
console.log(
  `creates: ${Math.round(median(inMemory))}/s in memory, ${Math.round(median(inFile))}/s in a file, ratio ${spread(ratios)} (target 0.5)`,
);
memory.stop();
kept.stop();
rmSync(folder, { recursive: true });
