/*
 * A process is killed in the middle of a change, and the next one finishes it from the journal. It is the same operation, the
 * same bytes, applied once.
 *
 *   npm run example crash-and-resume
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';

const mock = createMock();
const { baseUrl, close } = await mock.listen({ port: 0 });
const folder = mkdtempSync(join(tmpdir(), 'orgchat-example-'));
const changes = () => mock.requests.list().filter((request) => request.operation === 'changeChat');

// The first answer is delayed, so that the process can be killed while it waits.
mock.faults.arm({ effect: 'delay', operation: 'changeChat', delayMs: 300 });

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));
const child = spawn(process.execPath, [...process.execArgv, worker, baseUrl, folder], {
  stdio: 'inherit',
});
const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
while (changes().length === 0) await sleep(10);
child.kill('SIGKILL');
console.log(`the process ended by ${await ended}`);
await sleep(400);

// A new process, the same journal.
const client = createClient({ apiKey: 'demo-write-key', baseUrl, journal: fileJournal(folder) });
for (const { state, change } of await client.operations.list())
  console.log(`found: ${change?.action}, ${state}`);
for (const outcome of await client.operations.resumeAll()) {
  console.log(`finished: ${outcome.state}, replayed: ${outcome.replayed}`);
}

const ids = new Set(changes().map((request) => request.operationId));
const { records } = await client.tags.list();
console.log(`requests: ${changes().length}, operation ids: ${ids.size}`);
console.log(`tags named "Survivor": ${records.filter((tag) => tag.name === 'Survivor').length}`);

rmSync(folder, { recursive: true });
await close();
