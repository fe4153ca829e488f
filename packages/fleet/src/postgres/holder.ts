import type { StoreWarning } from '../store-warning.ts';
import { createLockKeeper, type Hold, type LockKeeper, newNumber } from './lock-keeper.ts';
import { isEmbedded, isPgPool, type Queryable } from './pool.ts';

/** Shows other processes that this one is alive. */
export interface Holder {
  /**
   * Returns the number of the lock that this process holds; undefined if only leases say how long an entry is held. While
   * the engine cannot be reached, it tries again for at most `timeoutMs`. A hold is what is to be held by the lock.
   */
  current(timeoutMs: number, hold?: Hold): Promise<number | undefined>;
  /** Ends the hold of a token. */
  end(token: string): void;
  /** Whether the engine is in this process, so that every other number is that of an earlier process. */
  readonly isEmbedded: boolean;
}

/** What all stores of a pool share. */
interface SharedLock {
  readonly keeper: LockKeeper;
  readonly isEmbedded: boolean;
  /** Who was warned that there is no lock. */
  readonly warned: Set<(warning: StoreWarning) => void>;
}

/** By pool: one session for all stores of this process. */
const locks = new WeakMap<Queryable, SharedLock>();

/** Returns the holder of this process in the engine of a pool. `warn` is called once if only leases show who is alive. */
export function getHolder(pool: Queryable, warn: (warning: StoreWarning) => void): Holder {
  const shared = locks.get(pool) ?? createLock(pool);
  locks.set(pool, shared);
  return {
    isEmbedded: shared.isEmbedded,
    end: shared.keeper.end,
    async current(timeoutMs, hold) {
      const lock = await shared.keeper.current(timeoutMs, hold);
      if ('number' in lock) return lock.number;
      if (shared.warned.has(warn)) return undefined;
      shared.warned.add(warn);
      warn({
        code: 'LEASE_ONLY',
        message: `${lock.leaseOnly}, so no session lock can show that this process is alive. If it dies, its operations are free five seconds after their deadline, not at once. The changes that it took from an outbox are free after two minutes. To avoid the wait, use a pg Pool that connects to Postgres directly or through a pooler in session mode.`,
        reasons: [lock.leaseOnly],
      });
      return undefined;
    },
  };
}

function createLock(pool: Queryable): SharedLock {
  const warned = new Set<(warning: StoreWarning) => void>();
  if (isPgPool(pool)) return { isEmbedded: false, warned, keeper: createLockKeeper(pool) };
  const lock = isEmbedded(pool)
    ? { number: newNumber() }
    : { leaseOnly: 'This pool is not a pg Pool and cannot open a connection for the lock' };
  const keeper: LockKeeper = { current: async () => lock, end: () => undefined };
  return { isEmbedded: isEmbedded(pool), warned, keeper };
}
