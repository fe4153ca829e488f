import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMock } from '@orgchat/mock-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram } from '../../../../test/test-support/bundle-program.ts';
import { createClient } from '../../src/index.ts';
import { fileJournal } from '../../src/journal/file/file-journal.ts';
import { filesBelow } from '../../test-support/journals/journal-folder.ts';

const child = fileURLToPath(new URL('../../test-support/programs/crashing-child.ts', import.meta.url));
const resumer = fileURLToPath(new URL('../../test-support/programs/resuming-child.ts', import.meta.url));
const mock = createMock({ rateLimit: 'off' });
let baseUrl = '';
let close = async (): Promise<void> => undefined;

beforeAll(async () => {
  ({ baseUrl, close } = await mock.listen({ port: 0 }));
});
afterAll(() => close());

const folder = (): string => mkdtempSync(join(tmpdir(), 'crash-'));
const start = (dir: string, step: number, address = baseUrl) =>
  spawn(process.execPath, [bundleProgram(child), address, dir, String(step)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

function ended(process: ReturnType<typeof start>): Promise<NodeJS.Signals | null> {
  return new Promise((resolve) => process.once('exit', (_code, signal) => resolve(signal)));
}

/** The journal removes what a dead process left, in slices of a few milliseconds that other work may delay. */
async function expectOnlyEntries(dir: string): Promise<void> {
  const others = () => filesBelow(dir).filter((name) => !name.endsWith('.json'));
  await expect.poll(others).toEqual([]);
}

/** What holds after every crash: each operation that left a trace is applied once, with the bytes of its entry. */
async function recover(dir: string): Promise<number> {
  const client = createClient({
    baseUrl,
    apiKey: 'demo-write-key',
    pacing: false,
    journal: fileJournal(dir),
  });
  const before = await client.operations.list();
  const outcomes = await client.operations.resumeAll();
  for (const { operationId, state } of outcomes) {
    expect(state).toBe('applied');
    expect(before.map((entry) => entry.operationId)).toContain(operationId);
  }
  const entries = await client.operations.list();
  expect(entries.every(({ state }) => state === 'applied')).toBe(true);
  expect(entries.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
  const names = entries.map(({ change }) => change?.action === 'create-templates' && change.data.name).sort();
  const made: string[] = [];
  for await (const { name } of client.templates.list()) if (name.startsWith('Crash')) made.push(name);
  expect(made.sort()).toEqual(names);
  expect(await client.operations.problems()).toEqual([]);
  await expectOnlyEntries(dir);
  return outcomes.length;
}

describe('after kill -9', () => {
  // A change takes nine steps: open, write, close, link and unlink to record; open, write, close and unlink to settle.
  // It is to be resumed if it is recorded and its settlement not written: before three of the steps.
  test('before each step in the file system, every operation is finished once', async () => {
    let resumed = 0;
    for (let step = 1; step <= 10; step += 2) {
      mock.reset();
      const dirs = [folder(), folder()];
      const signals = await Promise.all(dirs.map((dir, index) => ended(start(dir, step + index))));
      expect(signals).toEqual(['SIGKILL', 'SIGKILL']);
      // Both children wrote to one organization under the same names. Their journals say which records are theirs.
      const counts: number[] = [];
      for (const dir of dirs) {
        const client = createClient({
          baseUrl,
          apiKey: 'demo-write-key',
          pacing: false,
          journal: fileJournal(dir),
        });
        const before = await client.operations.list();
        const outcomes = await client.operations.resumeAll();
        expect(outcomes.every(({ state }) => state === 'applied')).toBe(true);
        const after = await client.operations.list();
        expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
        expect(after.every(({ state }) => state === 'applied')).toBe(true);
        expect(await client.operations.problems()).toEqual([]);
        await expectOnlyEntries(dir);
        counts.push(after.length);
        resumed += outcomes.length;
      }
      const applied = mock.operations().length;
      expect(applied).toBe(counts.reduce((sum, count) => sum + count, 0));
    }
    expect(resumed).toBe(3);
  });

  test('while a request is in progress, and after its answer was lost', async () => {
    mock.reset();
    mock.faults.arm({ effect: 'delay', operation: 'changeChat', after: 3, delayMs: 100 });
    const dir = folder();
    const process = start(dir, 0);
    const over = ended(process);
    await expect.poll(() => mock.operations().length).toBeGreaterThanOrEqual(3);
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.kill('SIGKILL');
    await over;
    await new Promise((resolve) => setTimeout(resolve, 150));
    await recover(dir);
    expect(new Set(mock.operations().map((operation) => JSON.stringify(operation))).size).toBe(
      mock.operations().length,
    );
  });
});

describe('several processes', () => {
  test('that resume one journal at once share its operations', async () => {
    mock.reset();
    const dir = folder();
    const count = 40;
    const options = { baseUrl, apiKey: 'demo-write-key', pacing: false, journal: fileJournal(dir) } as const;
    const cut = createClient({
      ...options,
      retry: false,
      // It reads the request, so it may have sent it.
      fetch: async (request) => {
        await request.text();
        throw new TypeError('fetch failed');
      },
    });
    for (let n = 0; n < count; n++) {
      await cut.templates.create({ name: `Shared ${n}`, text: 'x' }).catch(() => undefined);
    }
    const codes = await Promise.all(
      Array.from({ length: 4 }, () => {
        const process_ = spawn(process.execPath, [bundleProgram(resumer), baseUrl, dir], {
          stdio: 'inherit',
        });
        return new Promise((resolve) => process_.once('exit', resolve));
      }),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(mock.operations()).toHaveLength(count);
    // Nearly always each is asked about once; two that look at the same moment may both ask, and one gets a replay.
    expect(mock.requests.list().length).toBeLessThan(count * 1.5);
    const states = (await createClient(options).operations.list()).map(({ state }) => state);
    expect(states).toEqual(Array.from({ length: count }, () => 'applied'));
    expect(filesBelow(dir).filter((name) => !name.endsWith('.json'))).toEqual([]);
  });

  test('leave the entries of a living one alone, and free those of a dead one at once', async () => {
    mock.reset();
    mock.faults.arm({ effect: 'delay', operation: 'changeChat', after: 1, delayMs: 15_000 });
    const dir = folder();
    const process = start(dir, 0);
    const over = ended(process);
    const client = createClient({
      baseUrl,
      apiKey: 'demo-write-key',
      pacing: false,
      journal: fileJournal(dir),
    });
    const pending = () => client.operations.list({ state: 'pending' });
    await expect.poll(async () => (await pending()).length).toBe(1);
    await expect.poll(() => mock.requests.list().length).toBeGreaterThanOrEqual(2);
    const before = mock.requests.list().length;
    expect(await client.operations.resumeAll()).toMatchObject([
      { state: 'pending', error: { code: 'OPERATION_IN_FLIGHT' } },
    ]);
    expect(mock.requests.list()).toHaveLength(before);
    process.kill('SIGKILL');
    await over;
    // Free at once; the server still works on it, says so, and is not polled.
    expect(await client.operations.resumeAll()).toMatchObject([
      { state: 'unknown', error: { code: 'OPERATION_UNCERTAIN' } },
    ]);
  });
});
