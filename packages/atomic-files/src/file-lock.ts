import { randomUUID } from 'node:crypto';
import { type AtomicDirectory, shortDigest } from './atomic-directory.ts';
import { getThisProcess, isAlive, isThisProcess, type ProcessIdentity } from './process-identity.ts';

/** A lock is held for milliseconds. An older one of an unknown process was left by a process that died. */
const maxLockAgeMs = 10_000;

/**
 * Runs `work` on a file while a lock file (`.lock`) exists beside it, so that one process at a time does it. Returns
 * undefined if another process has the lock, or if `work` returns undefined because the file has changed.
 *
 * An abandoned lock is not removed and created again: of two processes that do this, the second one would remove the
 * new lock of the first. Instead the next lock is named after the abandoned one and its content, and so on. All of
 * them are removed after `work` has changed the file.
 */
export function withFileLock<T>(
  files: AtomicDirectory,
  name: string,
  work: () => T | undefined,
): T | undefined {
  const own = JSON.stringify({ ...getThisProcess(), lock: randomUUID() });
  const abandoned: string[] = [];
  let lock = `${name}.lock`;
  while (!files.create(lock, own)) {
    const text = readAbandonedLock(files, lock);
    if (text === undefined) return undefined;
    abandoned.push(lock);
    // Its name counts too: two truncated locks have the same content.
    lock = `${name}.${shortDigest(`${lock} ${text}`)}.lock`;
  }
  try {
    const done = work();
    if (done !== undefined) for (const old of abandoned) files.remove(old);
    return done;
  } finally {
    files.remove(lock);
  }
}

/** Returns the content of a lock whose process is dead or, if that cannot be known, that is too old. */
function readAbandonedLock(files: AtomicDirectory, lock: string): string | undefined {
  try {
    const text = files.read(lock);
    const isOld = Date.now() - files.changedAt(lock) > maxLockAgeMs;
    return text !== undefined && (isHolderAlive(text) ?? !isOld) === false ? text : undefined;
  } catch {
    // It was removed in the meantime, so its process is alive.
    return undefined;
  }
}

function isHolderAlive(text: string): boolean | undefined {
  try {
    const owner = JSON.parse(text) as ProcessIdentity;
    // This process is alive, but it holds no other lock, except in another thread.
    return isThisProcess(owner) ? undefined : isAlive(owner);
  } catch {
    // Truncated: a process died while it copied the file into place.
    return undefined;
  }
}
