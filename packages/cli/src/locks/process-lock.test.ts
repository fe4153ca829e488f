import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir, uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Lock } from './process-lock.ts';

const minute = 60_000;
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orgchat-lock-'));
  path = join(folder, 'deep', 'one.lock');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function taken(): Lock {
  const lock = Lock.take(path, minute);
  if (!(lock instanceof Lock)) throw new Error(`held by ${JSON.stringify(lock)}`);
  return lock;
}

/** Leaves a lock as a process of these facts would. */
function leftBy(facts: Record<string, unknown>): void {
  taken().release();
  mkdirSync(dirname(path), { recursive: true });
  const until = new Date(Date.now() + minute).toISOString();
  writeFileSync(path, JSON.stringify({ ...thisOne(), until, ...facts }));
}

/** What a lock of this process says. */
function thisOne(): Record<string, unknown> {
  const lock = Lock.take(`${path}.other`, minute) as Lock;
  const facts = JSON.parse(readFileSync(`${path}.other`, 'utf8')) as Record<string, unknown>;
  lock.release();
  return facts;
}

async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('one process at a time holds a lock, which leaves nothing behind', () => {
  const first = taken();
  const since = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(Lock.take(path, minute)).toEqual({ host: hostname(), pid: process.pid, since });
  expect(Lock.take(`${path}.another`, minute)).toBeInstanceOf(Lock);
  expect(first.renew(minute)).toBe(true);
  expect(Lock.take(path, minute)).not.toBeInstanceOf(Lock);
  first.release();
  taken().release();
  expect(readdirSync(dirname(path))).toEqual(['one.lock.another']);
});

describe('what was left behind is taken over', () => {
  test('if the process is dead, however long its lock is valid', async () => {
    leftBy({ pid: await deadProcess() });
    taken();
  });

  test.runIf(process.platform === 'linux')('where its number is another process by now', () => {
    leftBy({ start: '1' });
    taken();
  });

  test.each([
    ['of another machine', { host: 'elsewhere' }],
    ['of another machine with the same name', { boot: 'another pid:[1]' }],
    ['that cannot be told from a later one of its number', { start: '' }],
  ])('where a process %s is not heard of for as long as it said', (_name, facts) => {
    const begun = Date.now();
    leftBy(facts);
    vi.useFakeTimers({ now: begun + minute - 1_000, toFake: ['Date'] });
    expect(Lock.take(path, minute)).toMatchObject({ pid: process.pid, until: expect.any(String) });
    vi.setSystemTime(Date.now() + 2 * minute);
    taken();
  });

  test('if it is garbled, and no process can run anymore', () => {
    leftBy({});
    writeFileSync(path, '{"host":');
    expect(Lock.take(path, minute)).toMatchObject({ host: '', until: expect.any(String) });
    vi.useFakeTimers({ now: Date.now() + 2 * minute, toFake: ['Date'] });
    taken();
  });
});

test.runIf(process.platform === 'linux')(
  'a lock of another machine with the same name is respected, also if this one was started after it was written',
  () => {
    leftBy({ boot: 'another pid:[1]' });
    const startedAt = Date.now() / 1000 - uptime();
    utimesSync(path, startedAt - 1, startedAt - 1);
    expect(Lock.take(path, minute)).toMatchObject({ pid: process.pid, until: expect.any(String) });
  },
);

test('a process that lost its lock can neither renew nor release it', () => {
  const lost = taken();
  const facts = { ...thisOne(), host: 'elsewhere', until: new Date(Date.now() + minute).toISOString() };
  writeFileSync(path, JSON.stringify(facts));
  expect(lost.renew(minute)).toBe(false);
  lost.release();
  expect(Lock.take(path, minute)).toMatchObject({ host: 'elsewhere' });
});

test('a lock that can be neither read nor written is named', () => {
  mkdirSync(path, { recursive: true });
  expect(() => Lock.take(path, minute)).toThrow(`Cannot read ${path}: EISDIR`);
  rmSync(path, { recursive: true });
  symlinkSync(join(folder, 'nowhere'), path);
  expect(() => Lock.take(path, minute)).toThrow(`Cannot read ${path}: it exists but cannot be opened`);
  writeFileSync(join(folder, 'file'), '');
  const below = join(folder, 'file', 'one.lock');
  expect(() => Lock.take(below, minute)).toThrow(`Cannot write ${below}: ENOTDIR`);
});
