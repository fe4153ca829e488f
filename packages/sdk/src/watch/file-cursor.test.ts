import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getThisProcess } from '@orgchat/atomic-files';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileCursor } from './file-cursor.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'orgchat-cursor-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

const path = (): string => join(directory, 'inbox.json');
const read = () => JSON.parse(readFileSync(path(), 'utf8')) as { owner?: object; stored?: string };
const inUse = { name: 'ConflictError', code: 'CURSOR_IN_USE' };

test('what was saved is there for the next watcher, in a file that only its owner can read', async () => {
  const cursor = fileCursor('inbox', { directory });
  const open = await cursor.open();
  expect(open.stored).toBeUndefined();
  await open.save('one', 1_000);
  await open.save('two', 1_000);
  await open.close();
  expect(await fileCursor('inbox', { directory, durable: true }).open()).toMatchObject({ stored: 'two' });
  if (process.platform !== 'win32') expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toEqual(['inbox.json']);
});

test('the default directory is beside that of the journal', async () => {
  vi.stubEnv('XDG_STATE_HOME', directory);
  vi.stubEnv('LOCALAPPDATA', directory);
  await (await fileCursor('inbox').open()).close();
  expect(readdirSync(join(directory, 'orgchat', 'cursors'))).toEqual(['inbox.json']);
});

test('one watcher at a time has it', async () => {
  const open = await fileCursor('inbox', { directory }).open();
  await expect(fileCursor('inbox', { directory }).open()).rejects.toMatchObject(inUse);
  await open.close();
  await (await fileCursor('inbox', { directory }).open()).close();
});

/** Another process has the cursor. */
function giveTo(owner: object): void {
  const since = '2026-01-01T00:00:00.000Z';
  const other = { ...getThisProcess(), token: 'other', since, until: since, ...owner };
  writeFileSync(path(), JSON.stringify({ owner: other, stored: 'theirs' }));
}

test('that of a dead process is free', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  giveTo({ pid });
  expect(await fileCursor('inbox', { directory }).open()).toMatchObject({ stored: 'theirs' });
});

test('that of a process on another machine is free when it is late', async () => {
  giveTo({ host: 'elsewhere', until: new Date(Date.now() + 60_000).toISOString() });
  const { open } = fileCursor('inbox', { directory });
  await expect(open()).rejects.toMatchObject(inUse);
  await expect(open()).rejects.toThrow(/process \d+ on elsewhere, since 2026-01-01/);
  giveTo({ host: 'elsewhere' });
  expect(await open()).toMatchObject({ stored: 'theirs' });
});

test('a watcher that lost it saves nothing and gives nothing back', async () => {
  const open = await fileCursor('inbox', { directory }).open();
  giveTo({ pid: process.pid });
  await expect(open.save('mine', 1_000)).rejects.toMatchObject(inUse);
  await open.close();
  expect(read()).toMatchObject({ stored: 'theirs', owner: { token: 'other' } });
  writeFileSync(path(), JSON.stringify({ stored: 'theirs' }));
  await expect(open.save('mine', 1_000)).rejects.toMatchObject(inUse);
  expect(read()).toEqual({ stored: 'theirs' });
  rmSync(path());
  await expect(open.save('mine', 1_000)).rejects.toMatchObject({ code: 'CURSOR_FAILED' });
});

test.each(['{', '[1]', '{"stored":1}', '{"owner":{"pid":1}}'])(
  'a file with %s is refused, and kept',
  async (text) => {
    writeFileSync(path(), text);
    await expect(fileCursor('inbox', { directory }).open()).rejects.toMatchObject({ code: 'CURSOR_FAILED' });
    expect(readFileSync(path(), 'utf8')).toBe(text);
  },
);

test('a directory that cannot be made is named', async () => {
  writeFileSync(path(), '');
  const open = fileCursor('inbox', { directory: path() }).open();
  await expect(open).rejects.toMatchObject({ code: 'CURSOR_FAILED' });
  await expect(open).rejects.toThrow(path());
});

test.each(['', '.', '..', '../inbox', 'a/b', 'a b', 'x'.repeat(101), 5])('the name %j is refused', (name) => {
  expect(() => fileCursor(name as string)).toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS' }));
});

test.each([{ dir: 'x' }, { directory: '' }, { directory: 5 }, 'x'])(
  'the options %j are refused',
  (options) => {
    expect(() => fileCursor('inbox', options as object)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    );
  },
);
