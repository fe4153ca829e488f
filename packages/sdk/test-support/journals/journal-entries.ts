import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { FileCall } from '@orgchat/atomic-files/test-support/file-system';
import { vi } from 'vitest';
import type { EntryKey, Journal, JournalEntry } from '../../src/journal/journal.ts';

export const target = 'https://api.example.com/api/v1#0123';
let made = 0;

/** An entry of the target, newer than the one before. */
export function entry(changes: Partial<JournalEntry> = {}): JournalEntry {
  const now = new Date(Date.now() + ++made).toISOString();
  return {
    format: 2,
    operationId: crypto.randomUUID(),
    target,
    kind: 'change',
    path: '/chat/changes',
    body: '{"change":{"name":"VIP ✨"}}',
    state: 'pending',
    createdAt: now,
    updatedAt: now,
    deadline: new Date(Date.now() + 60_000).toISOString(),
    attempts: 0,
    token: crypto.randomUUID(),
    ...changes,
  };
}

/** Claims an entry under a new token. Returns the entry, or `held`; undefined if there is none. */
export function claim(
  journal: Journal,
  key: EntryKey,
  deadline: string = new Date(Date.now() + 3_600_000).toISOString(),
): JournalEntry | 'held' | undefined {
  const claimed = journal.claim(key, { token: crypto.randomUUID(), deadline });
  if (claimed instanceof Promise) throw new Error('This journal answers later.');
  return claimed && (claimed.entry ?? 'held');
}

// As it is, whatever is put in its place.
const { readdirSync } = fs;

/** What is in a journal's folder, and below it in the folders of days, in order. */
export function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^settled([\\/]\d{4}-\d{2}-\d{2})?$/.test(name))
    .sort();
}

const allCalls = [
  'openSync',
  'opendirSync',
  'closeSync',
  'existsSync',
  'fsyncSync',
  'linkSync',
  'mkdirSync',
  'copyFileSync',
  'renameSync',
  'readdirSync',
  'readFileSync',
  'rmSync',
  'rmdirSync',
  'statSync',
  'unlinkSync',
  'utimesSync',
  'writeFileSync',
] as const satisfies readonly FileCall[];

/**
 * Counts the synchronous calls to the file system, and the removals that are not, until `unwatch()`; `each` runs
 * before each of them.
 */
export function countCalls(each: () => void = () => undefined) {
  let count = 0;
  let removals = 0;
  let busy = 0;
  const paths: string[] = [];
  for (const name of allCalls) {
    const call: (...args: never[]) => unknown = fs[name];
    const counted = (...args: unknown[]): unknown => {
      count++;
      each();
      if (name === 'readFileSync') paths.push(String(args[0]));
      return Reflect.apply(call, fs, args);
    };
    vi.spyOn(fs, name).mockImplementation(counted as never);
  }
  // A step through a folder is a call as well.
  const { readSync } = fs.Dir.prototype;
  vi.spyOn(fs.Dir.prototype, 'readSync').mockImplementation(function (this: fs.Dir) {
    count++;
    each();
    return readSync.call(this);
  });
  for (const name of ['unlink', 'rmdir'] as const) {
    const call = fs.promises[name];
    vi.spyOn(fs.promises, name).mockImplementation(async (path: fs.PathLike) => {
      removals++;
      busy++;
      await call(path).finally(() => busy--);
    });
  }
  syncBuiltinESMExports();
  return {
    /** How many there were since it was asked last. */
    take(): { readonly calls: number; readonly removals: number } {
      const taken = { calls: count, removals };
      count = 0;
      removals = 0;
      return taken;
    },
    /** Resolves when no call is in progress. */
    async rest(): Promise<void> {
      do await new Promise((resolve) => setImmediate(resolve));
      while (busy > 0);
    },
    /** What was read, in order. */
    read: (): readonly string[] => paths,
  };
}
