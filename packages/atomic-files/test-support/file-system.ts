import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';

/** The synchronous calls to the file system that are watched. */
export type FileCall =
  | 'openSync'
  | 'opendirSync'
  | 'closeSync'
  | 'existsSync'
  | 'fsyncSync'
  | 'linkSync'
  | 'mkdirSync'
  | 'copyFileSync'
  | 'renameSync'
  | 'readdirSync'
  | 'readFileSync'
  | 'rmSync'
  | 'rmdirSync'
  | 'statSync'
  | 'unlinkSync'
  | 'utimesSync'
  | 'writeFileSync';

/** Watches or replaces a call to the file system, even for modules that imported it before. */
export function watch<C extends FileCall>(
  name: C,
  instead?: (...args: Parameters<(typeof fs)[C]>) => unknown,
) {
  const spy = vi.spyOn(fs, name as FileCall);
  if (instead) spy.mockImplementation(instead as never);
  syncBuiltinESMExports();
  return spy;
}

/** Puts others in the place of several calls at once, which is much faster than one after the other. */
export function watchAll(
  instead: Readonly<Record<FileCall, (...args: readonly unknown[]) => unknown>>,
): void {
  for (const [name, call] of Object.entries(instead))
    vi.spyOn(fs, name as FileCall).mockImplementation(call as never);
  syncBuiltinESMExports();
}

/** Gives every call back. */
export function unwatch(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}

/** A call that the system refuses. */
export const fails = (code: string) => (): never => {
  throw Object.assign(new Error(code), { code });
};
