import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it, for its owner alone. Node's own `recursive` is not used: it never returns where
 * the folder above is there and takes none, as `/proc` does.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const above = dirname(path);
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    makeFolder(above);
    makeFolder(path);
  }
}
