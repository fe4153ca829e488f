import * as fs from 'node:fs';
import { getErrorCode } from '@orgchat/atomic-files';

/*
 * The names of a file journal's files.
 *
 * - In its folder: open entries (`UUID.DIGEST.json`), locks (`.lock`), and temporary files of both (`.tmp`).
 * - Below `settled/YYYY-MM-DD`: settled entries, by the UTC day on which they were settled or last read.
 *
 * A lock is not a hold. A hold belongs to a call, is written into the entry by `add` or `claim`, and lasts until the
 * call ends. A lock lasts for the milliseconds in which one process changes the file of an entry.
 */

export const entryName = /^[0-9a-f-]{36}\.[0-9a-f]{16}\.json$/;
export const lockName = /^([0-9a-f-]{36}\.[0-9a-f]{16}\.json)(?:\.[0-9a-f]{16})?\.lock$/;
export const temporaryName =
  /^[0-9a-f-]{36}\.[0-9a-f]{16}\.json(?:(?:\.[0-9a-f]{16})?\.lock)?\.\d+\.[\w-]+\.tmp$/;
export const settledName = 'settled';
export const dayName = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the UTC day of a time in milliseconds since the epoch. */
export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Iterates over the names in a folder. Each step is short, however many names there are. */
export function* iterateNames(path: string): Generator<string> {
  const folder = openFolder(path);
  if (!folder) return;
  try {
    for (let found = folder.readSync(); found; found = folder.readSync()) yield found.name;
  } finally {
    folder.closeSync();
  }
}

/** Undefined if the folder does not exist: cleaning may have removed it. */
function openFolder(path: string): fs.Dir | undefined {
  try {
    return fs.opendirSync(path);
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
