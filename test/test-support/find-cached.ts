import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Whether a file or folder is in its cache, and then keeps it there for another day. If it is not, its cache is a folder
 * afterwards, without what was not used for a day.
 */
export function findCached(path: string): boolean {
  if (existsSync(path)) {
    const now = new Date();
    utimesSync(path, now, now);
    return true;
  }
  const cache = dirname(path);
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const entry = statSync(join(cache, name), { throwIfNoEntry: false });
    if (entry !== undefined && Date.now() - entry.mtimeMs > dayMs)
      rmSync(join(cache, name), { recursive: true, force: true });
  }
  return false;
}
