import { type HeldLock, type Holder, isHeldLock } from './holder.ts';
import { Lock } from './process-lock.ts';

/** Where a lock is kept: in a file, in a journal that machines share, or in both. */
export interface LockStore {
  /** The file of the lock, which a person may remove; undefined if there is none. */
  readonly path: string | undefined;
  /** Takes the lock for `ms` milliseconds. If a living process holds it, returns that process. */
  take(ms: number): Promise<HeldLock | Holder>;
}

/** A lock among the processes that use the same file. */
export const lockInFile = (path: string): LockStore => ({ path, take: async (ms) => Lock.take(path, ms) });

/** What a shared journal needs to keep locks. `about` names what is locked. */
interface SharedLocks {
  takeLock(about: readonly (string | null)[], ms: number): Promise<HeldLock | Holder>;
}

/** A lock among the machines that share a journal. */
export const lockInJournal = (locks: SharedLocks, about: readonly (string | null)[]): LockStore => ({
  path: undefined,
  take: (ms) => locks.takeLock(about, ms),
});

/** A lock that is held only in both stores: the file is tried first. */
export const lockInBoth = (file: LockStore, journal: LockStore): LockStore => ({
  path: file.path,
  async take(ms) {
    const local = await file.take(ms);
    if (!isHeldLock(local)) return local;
    try {
      const shared = await journal.take(ms);
      if (isHeldLock(shared)) return joinLocks(local, shared);
      await local.release();
      return shared;
    } catch (error) {
      await local.release();
      throw error;
    }
  },
});

const joinLocks = (local: HeldLock, shared: HeldLock): HeldLock => ({
  renew: async (ms) => (await local.renew(ms)) && (await shared.renew(ms)),
  async release() {
    await shared.release();
    await local.release();
  },
});
