import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fails, unwatch, watch } from '../test-support/file-system.ts';
import { openAtomicDirectory } from './atomic-directory.ts';

let dir = '';
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(unwatch);

const files = (): string[] => fs.readdirSync(dir);

describe('a new file', () => {
  test('is created by only one caller', () => {
    const one = openAtomicDirectory(dir, false);
    expect(one.create('name', 'the first')).toBe(true);
    expect(openAtomicDirectory(dir, false).create('name', 'the second')).toBe(false);
    expect(one.read('name')).toBe('the first');
    expect(files()).toEqual(['name']);
  });

  // If the answer of a network file system is lost, a second call finds the link of the first.
  test.each(['EEXIST', 'EIO', 'ETIMEDOUT'])('was made where its link is said to have failed: %s', (code) => {
    const { linkSync } = fs;
    watch('linkSync', (from, to) => {
      linkSync(from, to);
      fails(code)();
    });
    const one = openAtomicDirectory(dir, true);
    expect(one.create('name', 'text')).toBe(true);
    expect(one.read('name')).toBe('text');
    expect(files()).toEqual(['name']);
  });

  test('is not reported as created if it is unknown whether its link was made', () => {
    watch('linkSync', fails('EEXIST'));
    watch('statSync', fails('EIO'));
    expect(() => openAtomicDirectory(dir, false).create('name', 'text')).toThrow('EIO');
    expect(files()).toEqual([]);
  });

  test('that had to be copied is flushed to the disk, with its name, if that is requested', () => {
    const synced: string[] = [];
    const names = new Map<number, string>();
    const { openSync } = fs;
    watch('linkSync', fails('EPERM'));
    watch('openSync', (path, flags, mode) => {
      const file = openSync(path, flags, mode);
      names.set(
        file,
        String(path)
          .replace(dir, 'DIR')
          .replace(/\.\d+\..*\.tmp$/, '.DRAFT'),
      );
      return file;
    });
    watch('fsyncSync', (file) => synced.push(names.get(file) ?? ''));
    expect(openAtomicDirectory(dir, true).create('name', 'text')).toBe(true);
    expect(synced.splice(0)).toEqual(['DIR/name.DRAFT', 'DIR/name', 'DIR']);
    expect(openAtomicDirectory(dir, false).create('another', 'text')).toBe(true);
    expect(synced).toEqual([]);
  });

  test.each([
    ['its text', 1, false],
    ['its folder', 2, false],
    ['its copy', 2, true],
    ['the folder of its copy', 3, true],
  ])('is not there if the disk does not accept %s', (_what, nth, isCopied) => {
    let syncs = 0;
    if (isCopied) watch('linkSync', fails('EPERM'));
    watch('fsyncSync', () => ++syncs === nth && fails('EIO')());
    const one = openAtomicDirectory(dir, true);
    expect(() => one.create('name', 'text')).toThrow('EIO');
    expect(files()).toEqual([]);
    expect(one.create('name', 'again')).toBe(true);
  });

  test('does not replace a file that another process made under the same name', () => {
    watch('linkSync', fails('EIO'));
    fs.writeFileSync(join(dir, 'name'), 'of another');
    expect(openAtomicDirectory(dir, true).create('name', 'text')).toBe(false);
    unwatch();
    expect(fs.readFileSync(join(dir, 'name'), 'utf8')).toBe('of another');
    expect(files()).toEqual(['name']);
  });
});

describe('a file that is replaced', () => {
  test('is unchanged, without a temporary file, if replacing fails', () => {
    const one = openAtomicDirectory(dir, true);
    one.create('name', 'before');
    for (const call of ['openSync', 'writeFileSync', 'fsyncSync', 'renameSync'] as const) {
      watch(call, fails('ENOSPC'));
      expect(() => one.replace('name', 'after')).toThrow('ENOSPC');
      unwatch();
      expect(one.read('name')).toBe('before');
      expect(files()).toEqual(['name']);
    }
  });
});

describe('a file that is read', () => {
  test('is undefined only if it does not exist', () => {
    const one = openAtomicDirectory(dir, false);
    expect(one.read('name')).toBeUndefined();
    for (const code of ['EACCES', 'EIO', 'EMFILE']) {
      watch('readFileSync', fails(code));
      expect(() => one.read('name')).toThrow(code);
      unwatch();
    }
  });
});
