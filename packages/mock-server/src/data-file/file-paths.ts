import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DataFileError } from './data-file-error.ts';

/** The files of a database: that of its content, and those that SQLite puts beside it. */
const suffixes = ['', '-wal', '-shm'] as const;

/** Paths of the files that this process has open. Opening a file a second time would release its lock. */
export const openPaths = new Set<string>();

/** Returns the real path of a data file; throws if this process has it open. */
export function resolveDataFile(given: string): string {
  const path = existsSync(given) ? realpathSync(given) : resolve(given);
  if (openPaths.has(path)) throw new DataFileError(`${path} is already in use by this process.`);
  return path;
}

/** Moves the files of a damaged data file aside. Returns the new path of the main file. */
export function moveAside(path: string): string {
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const suffix of suffixes) {
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${aside}${suffix}`);
  }
  return aside;
}

/** Creates the file of a new database. Only its owner may read it, since it contains API keys. */
export function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    const isFolderMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isFolderMissing
      ? `the directory ${dirname(path)} does not exist`
      : (error as Error).message;
    throw new DataFileError(`${path} cannot be created: ${reason}.`, { cause: error });
  }
}

/** Removes all files of a database. */
export function removeFiles(path: string): void {
  for (const suffix of suffixes) rmSync(`${path}${suffix}`, { force: true });
}
