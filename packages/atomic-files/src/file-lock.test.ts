import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unwatch, watch } from '../test-support/file-system.ts';
import { openAtomicDirectory, shortDigest } from './atomic-directory.ts';
import { withFileLock } from './file-lock.ts';
import { getThisProcess, type ProcessIdentity, readProcessFacts } from './process-identity.ts';

let dir = '';
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(unwatch);

const files = (): string[] => fs.readdirSync(dir).sort();
const here = () => openAtomicDirectory(dir, false);
/** Whether a process that tries now gets the lock. */
const comesToIt = (): boolean => withFileLock(here(), 'entry', () => true) ?? false;

const dead: ProcessIdentity = { ...getThisProcess(), pid: 2 ** 30 };
const living: ProcessIdentity = {
  ...getThisProcess(),
  pid: process.ppid,
  start: readProcessFacts(process.ppid).start,
};
const elsewhere: ProcessIdentity = { ...getThisProcess(), host: 'elsewhere' };

function put(name: string, owner: object | string, ageMs = 0): string {
  const text = typeof owner === 'string' ? owner : JSON.stringify(owner);
  const path = join(dir, name);
  fs.writeFileSync(path, text);
  const then = new Date(Date.now() - ageMs);
  fs.utimesSync(path, then, then);
  return text;
}

describe('a lock', () => {
  test('exists while the work runs, and is removed after it', () => {
    expect(withFileLock(here(), 'entry', files)).toEqual(['entry.lock']);
    expect(files()).toEqual([]);
  });

  test('names the process that has it', () => {
    const text = withFileLock(here(), 'entry', () => here().read('entry.lock'));
    expect(JSON.parse(text ?? '')).toEqual({ ...getThisProcess(), lock: expect.any(String) });
  });

  test('is removed after work that fails', () => {
    const fails = (): never => {
      throw new Error('no room');
    };
    expect(() => withFileLock(here(), 'entry', fails)).toThrow('no room');
    expect(files()).toEqual([]);
  });

  test('keeps other processes out', () => {
    expect(withFileLock(here(), 'entry', () => comesToIt())).toBe(false);
    expect(comesToIt()).toBe(true);
  });

  test.each<[string, ProcessIdentity | string, number, boolean]>([
    ['of a dead process', dead, 0, false],
    ['of a living one', living, 0, true],
    // The process is stopped while it holds the lock, and continues there later.
    ['of a living one, old', living, 3_600_000, true],
    ['of another machine', elsewhere, 0, true],
    ['of another machine, ten seconds old', elsewhere, 9_000, true],
    ['of another machine, older', elsewhere, 11_000, false],
    ['of another thread of this process', getThisProcess(), 9_000, true],
    ['of this process, left because it could not be removed', getThisProcess(), 11_000, false],
    ['cut off', '{"ho', 9_000, true],
    ['cut off, older', '{"ho', 11_000, false],
    ['of no process', '{"host":5}', 9_000, true],
  ])('%s', (_name, owner, ageMs, isRespected) => {
    put('entry.lock', owner, ageMs);
    expect(comesToIt()).toBe(!isRespected);
    expect(files()).toEqual(isRespected ? ['entry.lock'] : []);
  });

  test('that is removed while another process checks it was in use', () => {
    put('entry.lock', dead);
    watch('readFileSync', (path) => {
      unwatch();
      fs.unlinkSync(path as string);
      return fs.readFileSync(path, 'utf8');
    });
    expect(comesToIt()).toBe(false);
  });
});

describe('a lock that a dead process left', () => {
  const next = (lock: string, text: string): string => `entry.${shortDigest(`${lock} ${text}`)}.lock`;

  test('is taken over by the next process, after any number of dead ones', () => {
    const first = put('entry.lock', dead);
    const followed = next('entry.lock', first);
    const second = put(followed, { ...dead, pid: 2 ** 30 + 1 });
    const work = () => files().filter((name) => name.endsWith('.lock'));
    expect(withFileLock(here(), 'entry', work)).toEqual(
      ['entry.lock', followed, next(followed, second)].sort(),
    );
    expect(files()).toEqual([]);
  });

  test('is taken over even if earlier take-overs were interrupted too', () => {
    put('entry.lock', '', 60_000);
    put(next('entry.lock', ''), '', 60_000);
    put(next(next('entry.lock', ''), ''), '', 60_000);
    expect(withFileLock(here(), 'entry', () => files().length)).toBe(4);
    expect(files()).toEqual([]);
  });

  test('is taken over by only one of several processes', () => {
    put('entry.lock', dead);
    expect(withFileLock(here(), 'entry', () => comesToIt())).toBe(false);
  });

  test('stays if the entry turned out to be another one', () => {
    put('entry.lock', dead);
    expect(withFileLock(here(), 'entry', () => undefined)).toBeUndefined();
    expect(files()).toEqual(['entry.lock']);
  });

  test('is not removed by a process that checked it before another one took it over', () => {
    put('entry.lock', dead);
    const { linkSync } = fs;
    let attempts = 0;
    let entry = 'as it was';
    const take = () => {
      if (entry !== 'as it was') return undefined;
      entry = 'taken';
      return entry;
    };
    watch('linkSync', (from, to) => {
      // Another process did all its work after this one found the lock abandoned and before it made its own.
      if (++attempts === 2) {
        unwatch();
        expect(withFileLock(here(), 'entry', take)).toBe('taken');
        expect(files()).toEqual([expect.stringMatching(/\.tmp$/)]);
      }
      linkSync(from, to);
    });
    expect(withFileLock(here(), 'entry', take)).toBeUndefined();
    expect(files()).toEqual([]);
  });
});
