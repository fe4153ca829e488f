import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { describeHolder, type HeldLock, type Holder, isHeldLock } from './holder.ts';
import type { LockStore } from './lock-store.ts';

/** How often to look whether the process that has a lock released it, in milliseconds. */
const pollMs = 250;

export interface LockOptions {
  readonly store: LockStore;
  /**
   * Lifetime of the lock in milliseconds, if it is not renewed. It only matters if the process cannot be checked: in
   * another container, or on another machine.
   */
  readonly validMs: number;
  /** The error if another process has the lock. */
  readonly inProgress: {
    readonly code: string;
    /** `Another apply is in progress`, without a period: the holder follows. */
    readonly problem: string;
    /** What that means for this command: `Nothing was sent.` */
    readonly result: string;
    readonly hint: string;
  };
  /** Default: the command does not wait. */
  readonly waiting?: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    /** Called once, with a description of the process that has the lock. */
    readonly onStart: (holder: string) => void;
  };
}

/** Runs `work` while no other process has the lock. Otherwise ends the command with exit code 5. */
export async function withLock<T>(options: LockOptions, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  const lock = await takeLock(options);
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

async function takeLock({ store, validMs, inProgress, waiting }: LockOptions): Promise<HeldLock> {
  const endsAt = performance.now() + (waiting?.timeoutMs ?? 0);
  for (let isFirst = true; ; isFirst = false) {
    const lock = await store.take(validMs);
    if (isHeldLock(lock)) return lock;
    const leftMs = endsAt - performance.now();
    if (waiting === undefined || leftMs <= 0) throw inProgressError(lock, store, inProgress);
    if (isFirst) waiting.onStart(describeHolder(lock));
    await sleep(Math.min(pollMs, leftMs), undefined, { signal: waiting.signal });
  }
}

function inProgressError(
  holder: Holder,
  { path }: LockStore,
  { code, problem, result, hint }: LockOptions['inProgress'],
): CliError {
  const expiry =
    holder.until === undefined
      ? ''
      : ` Whether that process is alive cannot be checked from here. Its lock expires at ${holder.until}, or when you remove ${path}.`;
  return new CliError(`${problem}: ${describeHolder(holder)}. ${result}`, {
    code,
    exit: exitCodes.conflict,
    hint: `${hint}${expiry}`,
    extra: { holder },
  });
}

/** The error of a command whose lock expired because it was not renewed in time. `what` is what it did. */
export const takenOverError = (what: string, code: string, hint: string): CliError =>
  new CliError(
    `Another process took over ${what} because the lock of this process expired. This process has stopped.`,
    { code, exit: exitCodes.unknown, hint },
  );
