import { setTimeout as sleep } from 'node:timers/promises';
import type { CliError } from '../errors/cli-error.ts';
import { describeExpiry, describeHolder, type HeldLock, type Holder, isHeldLock } from './holder.ts';
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

/** How often to look whether the process that has a lock released it, in milliseconds. */
const pollMs = 250;

/** Another process that has the lock. */
export interface LockedBy {
  readonly holder: Holder;
  /** `process 4711 on build-3, since 2026-11-22T12:00:00.000Z` */
  readonly who: string;
  /** Behind a hint: when the lock of a process expires that cannot be checked. Otherwise empty. */
  readonly expiry: string;
}

export interface LockOptions {
  readonly store: LockStore;
  /**
   * Lifetime of the lock in milliseconds, if it is not renewed. It only matters if the process cannot be checked: in
   * another container, or on another machine.
   */
  readonly validMs: number;
  /** The error if another process has the lock. */
  readonly inProgressError: (by: LockedBy) => CliError;
  /** Default: the command does not wait. */
  readonly waiting?: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    /** Called once, with a description of the process that has the lock. */
    readonly onStart: (holder: string) => void;
  };
}

/** Runs `work` while no other process has the lock. Throws `inProgressError` if another one has it. */
export async function withLock<T>(options: LockOptions, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  const lock = await takeLock(options);
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

async function takeLock({ store, validMs, inProgressError, waiting }: LockOptions): Promise<HeldLock> {
  const endsAt = performance.now() + (waiting?.timeoutMs ?? 0);
  for (let isFirst = true; ; isFirst = false) {
    const lock = await store.take(validMs);
    if (isHeldLock(lock)) return lock;
    const leftMs = endsAt - performance.now();
    const who = describeHolder(lock);
    if (waiting === undefined || leftMs <= 0)
      throw inProgressError({ holder: lock, who, expiry: describeExpiry(lock, store.path) });
    if (isFirst) waiting.onStart(who);
    await sleep(Math.min(pollMs, leftMs), undefined, { signal: waiting.signal });
  }
}
