import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findCached } from './find-cached.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgchat-cache-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cache = join(folder, 'cache');
const hourMs = 60 * 60 * 1000;

/** Puts a folder with a file into the cache that was last used some hours ago. */
function put(name: string, hours: number): string {
  const path = join(cache, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'program'), '');
  const used = new Date(Date.now() - hours * hourMs);
  utimesSync(path, used, used);
  return path;
}

test('a missing path makes room: its cache loses what was not used for a day', () => {
  const old = put('old', 25);
  const recent = put('recent', 23);
  expect(findCached(join(cache, 'new'))).toBe(false);
  expect([old, recent].map((path) => existsSync(path))).toEqual([false, true]);
});

test('a cached path stays for another day', () => {
  const path = put('used', 25);
  expect(findCached(path)).toBe(true);
  expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(hourMs);
  findCached(join(cache, 'another'));
  expect(existsSync(path)).toBe(true);
});

test('the cache of a missing path exists afterwards', () => {
  expect(findCached(join(folder, 'other', 'program'))).toBe(false);
  expect(existsSync(join(folder, 'other'))).toBe(true);
});
