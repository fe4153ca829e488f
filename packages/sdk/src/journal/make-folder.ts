import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it, for its user alone. Node's own `recursive` never returns where the folder above
 * is there and says that it is not, as `/proc` does.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  // The root of a drive that is not there is above itself.
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    // Another process was faster.
    if (existsSync(path)) return;
    const { message } = cause as Error;
    throw new Error(`the journal's folder cannot be made, give fileJournal() another: ${message}`, { cause });
  }
}
