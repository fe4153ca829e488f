import { setTimeout as sleep } from 'node:timers/promises';
import type { CliError } from '../errors/cli-error.ts';
import { describeExpiry, describeHolder, type HeldLock, type Holder, isHeldLock } from './holder.ts';
import type { LockStore } from './lock-store.ts';

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
