import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { emitFleetEvent } from '../events/fleet-events.ts';
import type { StoreWarning } from '../store-warning.ts';
import { isTransient, toFleetError } from './engine-error.ts';
import { openLockSession } from './lock-session.ts';
import { isEmbedded, isPgPool, type PgPool, type Queryable, type Session } from './pool.ts';

/** Shows other processes that this one is alive. */
export interface Holder {
  /**
   * Returns the number of the lock that this process holds; undefined if only leases say how long an entry is held. While
   * the engine cannot be reached, it tries again for at most this many milliseconds.
   */
  current(timeoutMs: number): Promise<number | undefined>;
  /** Whether the engine is in this process, so that every other number is that of an earlier process. */
  readonly isEmbedded: boolean;
}

/** Lock numbers below this are for other purposes. */
const firstNumber = 1_000;
const newNumber = (): number => randomInt(firstNumber, 2 ** 31 - 1);

/** The number of a lock that is held, or why none can be. */
type Lock = { readonly number: number } | { readonly leaseOnly: string };

/** What all stores of a pool share. */
interface SharedLock {
  /** Returns the lock, which is taken first if it is not held. */
  current(timeoutMs: number): Promise<Lock>;
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
    async current(timeoutMs) {
      const lock = await shared.current(timeoutMs);
      if ('number' in lock) return lock.number;
      if (shared.warned.has(warn)) return undefined;
      shared.warned.add(warn);
      warn({
        code: 'LEASE_ONLY',
        message: `${lock.leaseOnly}, so no session lock can show that this process is alive. If it dies, its operations are free five seconds after their deadline, not at once. To avoid the wait, use a pg Pool that connects to Postgres directly or through a pooler in session mode.`,
        reasons: [lock.leaseOnly],
      });
      return undefined;
    },
  };
}

function createLock(pool: Queryable): SharedLock {
  const warned = new Set<(warning: StoreWarning) => void>();
  if (isEmbedded(pool)) {
    const lock = { number: newNumber() };
    return { isEmbedded: true, warned, current: async () => lock };
  }
  if (isPgPool(pool)) return { isEmbedded: false, warned, current: createSessionLock(pool) };
  const lock = { leaseOnly: 'This pool is not a pg Pool and cannot open a connection for the lock' };
  return { isEmbedded: false, warned, current: async () => lock };
}

/** How often to look whether the pool was ended, in milliseconds. */
const lookMs = 1_000;

function createSessionLock(pool: PgPool): SharedLock['current'] {
  let session: Promise<Lock> | undefined;
  let connection: Session | undefined;
  let isLost = false;
  let timer: NodeJS.Timeout | undefined;

  function endWithPool(): void {
    if (!pool.ending) return;
    connection?.end().catch(() => undefined);
    connection = undefined;
    clearInterval(timer);
  }
  // The pool ends with one such event for each of its connections. If it has none at that moment, it says nothing.
  pool.on('remove', endWithPool);

  function watch(own: Session, lose: () => void): void {
    connection = own;
    if (isLost) emitFleetEvent('lock-regained', 'postgres');
    isLost = false;
    clearInterval(timer);
    timer = setInterval(endWithPool, lookMs);
    timer.unref();
    const end = (): void => {
      lose();
      if (connection !== own) return;
      if (!pool.ending) {
        isLost = true;
        emitFleetEvent('lock-lost', 'postgres');
      }
      connection = undefined;
      clearInterval(timer);
    };
    own.on('error', end);
    own.on('end', end);
    own.unref();
  }

  async function openInTime(lose: () => void, timeoutMs: number): Promise<Lock> {
    const endsAt = performance.now() + timeoutMs;
    for (let delayMs = 25; ; delayMs = Math.min(delayMs * 2, 400)) {
      try {
        const timeoutMs = endsAt - performance.now();
        const number = newNumber();
        const opened = await withTimeLimit(
          (isTooLate) => openLockSession(pool, number, { timeoutMs, isTooLate }),
          timeoutMs,
        );
        if ('leaseOnly' in opened) return opened;
        watch(opened.connection, lose);
        return { number };
      } catch (error) {
        if (!isTransient(error) || performance.now() + delayMs >= endsAt)
          throw toFleetError('The session lock of this process', error);
        await sleep(delayMs);
      }
    }
  }

  function start(timeoutMs: number): Promise<Lock> {
    // The engine has released the lock, so this process counts as dead until it has another one.
    const lose = (): void => {
      if (session === opening) session = undefined;
    };
    const opening = openInTime(lose, timeoutMs).catch((error: unknown) => {
      lose();
      throw error;
    });
    session = opening;
    return opening;
  }

  return (timeoutMs) => session ?? start(timeoutMs);
}

/** Rejects if a session cannot be made in time. `work` asks whether this has happened, and then closes what it has opened. */
async function withTimeLimit<T>(work: (isTooLate: () => boolean) => Promise<T>, ms: number): Promise<T> {
  const limit = new AbortController();
  const { signal } = limit;
  let isTooLate = false;
  const tooLate = sleep(Math.max(1, ms), undefined, { signal, ref: false }).then(() => {
    isTooLate = true;
    throw new Error('Postgres did not answer in time');
  });
  const session = work(() => isTooLate);
  try {
    return await Promise.race([session, tooLate]);
  } finally {
    tooLate.catch(() => undefined);
    session.catch(() => undefined);
    limit.abort();
  }
}
