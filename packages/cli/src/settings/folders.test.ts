import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from './folders.ts';

const root = mkdtempSync(join(tmpdir(), 'orgchat-folders-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('makes what is missing, for its owner alone, and takes what is there', () => {
  const path = join(root, 'a/b/c');
  makeFolder(path);
  makeFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('fails below a file', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file/a/b'))).toThrow('ENOTDIR');
});

test.runIf(process.platform === 'linux')('fails, and ends, where no folder can be made', () => {
  expect(() => makeFolder('/proc/orgchat/state/journal')).toThrow('ENOENT');
});
