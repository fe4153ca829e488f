import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { Harness, type Json, once } from '../../test-support/harness.ts';

const cli = new Harness();
afterAll(() => cli.end());

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const mock = (...args: string[]) => cli.run(['mock', ...args, '--json']);

let started: Json;
let file: string;
beforeEach(async () => {
  started = (await mock('start', '--detach', '--port', '0')).json;
  const folder = join(cli.folder, 'state/mocks');
  file = join(folder, readdirSync(folder).find((name) => name.endsWith('.json')) ?? '');
});

const stop = () => mock('stop', '--url', String(started.url));
const record = (): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8'));
const editRecord = (changed: object): void =>
  writeFileSync(file, JSON.stringify({ ...record(), ...changed }));
const isAlive = (pid: unknown): boolean => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};
const answers = (): Promise<boolean> =>
  fetch(`${started.url}/_mock/health`).then(
    ({ ok }) => ok,
    () => false,
  );

test.runIf(process.platform === 'linux')(
  'a process that got the number of a mock later is not stopped, even if another mock is at its URL',
  async () => {
    process.kill(Number(started.pid), 'SIGKILL');
    await expect.poll(answers).toBe(false);
    const other = spawn('sleep', ['60']);
    const port = new URL(String(started.url)).port;
    const next = cli.begin(['mock', 'start', '--port', port, '--json']);
    children.push(other, next.child);
    await once(next.child);
    editRecord({ pid: other.pid });
    expect((await stop()).json).toMatchObject({ pid: other.pid, note: 'it was no longer running' });
    expect([isAlive(other.pid), await answers()]).toEqual([true, true]);
    // Its record is gone, so nothing is stopped the next time either.
    const again = await stop();
    expect([again.code, again.json.error?.message]).toMatchObject([
      6,
      expect.stringContaining('was not started with --detach'),
    ]);
    next.child.kill('SIGTERM');
    await next.result;
  },
);

test.runIf(process.platform === 'linux')('a mock of another machine is not stopped from here', async () => {
  const own = record();
  for (const changed of [{ host: 'elsewhere' }, { boot: `another ${String(own.boot).split(' ')[1]}` }]) {
    editRecord(changed);
    const { code, json } = await stop();
    expect([code, json.error?.code]).toEqual([1, 'MOCK_ELSEWHERE']);
    editRecord(own);
  }
  // Also if this machine was started later, and is a clone.
  editRecord({ boot: 'earlier x', startedAt: '2020-01-01T00:00:00.000Z' });
  expect((await stop()).json.error?.hint).toContain(`If it no longer runs, delete ${file}`);
  expect(isAlive(started.pid)).toBe(true);
  process.kill(Number(started.pid), 'SIGTERM');
});

test('a mock that runs is stopped, with its log and its record', async () => {
  expect((await stop()).json).toEqual({ stopped: true, baseUrl: started.baseUrl, pid: started.pid });
  expect(await answers()).toBe(false);
  expect(
    readdirSync(join(cli.folder, 'state/mocks')).filter((name) =>
      name.includes(new URL(String(started.url)).port),
    ),
  ).toEqual([]);
});
