import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fails, unwatch, watch } from '../test-support/file-system.ts';
import { openAtomicDirectory, shortDigest } from './atomic-directory.ts';
import { getThisProcess } from './process-identity.ts';

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

describe('a file that is written in place', () => {
  test('is written once, into a folder that is made for it', () => {
    const one = openAtomicDirectory(dir, false);
    expect(one.write('folder/name', 'text')).toBe(true);
    expect(one.write('folder/name', 'another text')).toBe(false);
    expect(one.read('folder/name')).toBe('text');
  });

  test('is not left behind if its text cannot be written', () => {
    watch('writeFileSync', fails('ENOSPC'));
    expect(() => openAtomicDirectory(dir, false).write('name', 'text')).toThrow('ENOSPC');
    unwatch();
    expect(files()).toEqual([]);
  });

  test('is tried once, or once more after its folder was made', () => {
    const one = openAtomicDirectory(dir, false);
    const open = watch('openSync', fails('EACCES'));
    expect(() => one.write('name', 'text')).toThrow('EACCES');
    expect(open).toHaveBeenCalledTimes(1);
    unwatch();
    const openAgain = watch('openSync', fails('ENOENT'));
    expect(() => one.write('folder/name', 'text')).toThrow('ENOENT');
    expect(openAgain).toHaveBeenCalledTimes(2);
  });
});

describe('a file that is moved', () => {
  test('goes to a folder that is made for it', () => {
    const one = openAtomicDirectory(dir, false);
    one.create('name', 'text');
    one.move('name', 'folder/name');
    expect(one.read('name')).toBeUndefined();
    expect(one.read('folder/name')).toBe('text');
  });

  test('stays if it cannot be moved', () => {
    const one = openAtomicDirectory(dir, false);
    one.create('name', 'text');
    const rename = watch('renameSync', fails('EACCES'));
    expect(() => one.move('name', 'folder/name')).toThrow('EACCES');
    expect(rename).toHaveBeenCalledTimes(1);
    unwatch();
    expect(files()).toEqual(['name']);
  });
});

describe('a file that is removed', () => {
  test('is gone, even if it did not exist', () => {
    const one = openAtomicDirectory(dir, false);
    one.create('name', 'text');
    expect(one.remove('name')).toBe(true);
    expect(one.remove('name')).toBe(true);
    expect(files()).toEqual([]);
  });

  test('is not gone if the system refuses', () => {
    const one = openAtomicDirectory(dir, false);
    one.create('name', 'text');
    watch('unlinkSync', fails('EACCES'));
    expect(one.remove('name')).toBe(false);
  });
});

test('a file is old more than an hour after it was written', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const one = openAtomicDirectory(dir, false);
  one.create('name', 'text');
  const then = new Date(Math.floor(Date.now() / 1000) * 1000);
  fs.utimesSync(join(dir, 'name'), then, then);
  vi.setSystemTime(then.getTime() + 3_600_000);
  expect(one.isOld('name')).toBe(false);
  vi.setSystemTime(then.getTime() + 3_600_001);
  expect(one.isOld('name')).toBe(true);
  expect(one.isOld('another')).toBe(false);
});

describe('a temporary file', () => {
  const { host, boot } = getThisProcess();
  const here = shortDigest(`${host} ${boot}`).slice(0, 8);
  const dead = 2 ** 30;

  test.each<[name: string, isOld: boolean, isAbandoned: boolean]>([
    [`name.${dead}.${here}-a.tmp`, false, true],
    [`name.${process.ppid}.${here}-a.tmp`, false, false],
    // Of another machine, or of an earlier version, whose process cannot be looked at.
    [`name.${dead}.abcdef01-a.tmp`, false, false],
    [`name.${dead}.abcdef01-a.tmp`, true, true],
    [`name.${dead}.a.tmp`, false, false],
    [`name.${dead}.a.tmp`, true, true],
    // Not temporary files.
    [`name.${dead}.${here}-a.tmp.txt`, true, false],
    ['name.json', true, false],
  ])('%s, old: %s; is abandoned: %s', (name, isOld, isAbandoned) => {
    const path = join(dir, name);
    fs.writeFileSync(path, '');
    const then = new Date(Date.now() - (isOld ? 2 : 0) * 3_600_000);
    fs.utimesSync(path, then, then);
    expect(openAtomicDirectory(dir, false).isAbandonedTemporary(name)).toBe(isAbandoned);
  });

  test('has a name of its own for each write', () => {
    const one = openAtomicDirectory(dir, false);
    const names: string[] = [];
    const { openSync } = fs;
    watch('openSync', (path, flags, mode) => {
      names.push(String(path).slice(dir.length));
      return openSync(path, flags, mode);
    });
    for (let n = 0; n < 3; n++) one.replace('name', `${n}`);
    expect(new Set(names).size).toBe(3);
    for (const name of names)
      expect(name).toMatch(new RegExp(`^.name\\.${process.pid}\\.${here}-[0-9a-f]{8}-\\d\\.tmp$`));
  });
});
