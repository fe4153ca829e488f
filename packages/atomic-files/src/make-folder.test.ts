import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fails, unwatch, watch } from '../test-support/file-system.ts';
import { makeFolder } from './make-folder.ts';

const { mkdirSync } = fs;
let dir = '';
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(unwatch);

test('creates missing folders, for this user only', () => {
  const path = join(dir, 'a', 'b');
  makeFolder(path);
  for (const one of [path, dirname(path)]) expect(fs.statSync(one).mode & 0o777).toBe(0o700);
  makeFolder(path);
});

test('accepts a folder that another process created in the meantime', () => {
  const path = join(dir, 'a');
  watch('mkdirSync', (...args) => {
    mkdirSync(...args);
    return mkdirSync(...args);
  });
  makeFolder(path);
  expect(fs.statSync(path).isDirectory()).toBe(true);
});

test('throws the error of the system, and always ends, if no folder can be created', () => {
  fs.writeFileSync(join(dir, 'file'), '');
  expect(() => makeFolder(join(dir, 'file', 'journal'))).toThrow('ENOTDIR');
  // Below /proc the system reports every new name as missing.
  const paths = [join(dir, 'journal'), join(dir, 'some', 'where')];
  if (fs.existsSync('/proc/self')) paths.push('/proc/journal', '/proc/some/where');
  watch('mkdirSync', (path, options) => {
    if (`${path}`.startsWith(dir)) fails('ENOENT')();
    return mkdirSync(path, options);
  });
  for (const path of paths) expect(() => makeFolder(path)).toThrow('ENOENT');
});

test('ends at a root that does not exist', () => {
  watch('existsSync', () => false);
  watch('mkdirSync', fails('ENOENT'));
  expect(() => makeFolder('/')).toThrow('ENOENT');
});

test('creates several missing folders, and accepts one that exists', () => {
  const path = join(dir, 'a/b/c');
  makeFolder(path);
  makeFolder(path);
  expect(fs.statSync(path).mode & 0o777).toBe(0o700);
});

test('throws ENOTDIR below a file', () => {
  fs.writeFileSync(join(dir, 'file'), '');
  expect(() => makeFolder(join(dir, 'file/a/b'))).toThrow('ENOTDIR');
});

test.runIf(process.platform === 'linux')('throws ENOENT below /proc', () => {
  expect(() => makeFolder('/proc/orgchat/state/journal')).toThrow('ENOENT');
});
