import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { FileCall } from '@orgchat/atomic-files/test-support/file-system';
import { vi } from 'vitest';

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
export function countFileCalls(each: () => void = () => undefined) {
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
