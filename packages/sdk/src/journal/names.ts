import * as fs from 'node:fs';
import { codeOf } from './whole-files.ts';

/*
 * The names of a file journal's files. In its folder: UUID.DIGEST.json for each open entry, claims of it, and drafts of
 * both. Below `settled/YYYY-MM-DD`, by the UTC day on which they were settled or last asked for: settled entries.
 */

export const entryName = /^[0-9a-f-]{36}\.[0-9a-f]{16}\.json$/;
export const claimName = /^([0-9a-f-]{36}\.[0-9a-f]{16}\.json)(?:\.[0-9a-f]{16})?\.claim$/;
export const draftName =
  /^[0-9a-f-]{36}\.[0-9a-f]{16}\.json(?:(?:\.[0-9a-f]{16})?\.claim)?\.\d+\.[\w-]+\.tmp$/;
export const settledName = 'settled';
export const dayName = /^\d{4}-\d{2}-\d{2}$/;

/** The UTC day of a moment in milliseconds since the epoch. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The names in a folder, one after the other: however many there are, each step takes a moment. */
export function* namesIn(path: string): Generator<string> {
  const folder = openFolder(path);
  if (!folder) return;
  try {
    for (let found = folder.readSync(); found; found = folder.readSync()) yield found.name;
  } finally {
    folder.closeSync();
  }
}

/** Undefined if it is not there: somebody removed it, as cleaning does. */
function openFolder(path: string): fs.Dir | undefined {
  try {
    return fs.opendirSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
