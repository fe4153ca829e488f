import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreWarning } from '../store-warning.ts';
import { isTransient, toFleetError } from './engine-error.ts';
import { lockClass } from './locks.ts';
import { isEmbedded, isPgPool, type Queryable, type Session } from './pool.ts';

/** Shows other processes that this one is alive. */
export interface Holder {
  /**
   * Returns the number of the lock that this process holds; undefined if only leases say how long an entry is held. While
   * the engine cannot be reached, it tries again for so many milliseconds.
   */
  current(timeoutMs: number): Promise<number | undefined>;
  /** Whether the engine is in this process, so that every other number is that of an earlier process. */
  readonly isEmbedded: boolean;
}

/** Lock numbers below this are for other purposes. */
const firstNumber = 1_000;
const newNumber = (): number => randomInt(firstNumber, 2 ** 31 - 1);

/** By pool: one session for all stores of this process. */
const holders = new WeakMap<Queryable, Holder>();

/** Returns the holder of this process in the engine of a pool. */
export function getHolder(pool: Queryable, warn: (warning: StoreWarning) => void): Holder {
  const known = holders.get(pool) ?? createHolder(pool, warn);
  holders.set(pool, known);
  return known;
}

function createHolder(pool: Queryable, warn: (warning: StoreWarning) => void): Holder {
  if (isEmbedded(pool)) {
    const number = newNumber();
    return { isEmbedded: true, current: async () => number };
  }
  let session: Promise<number | undefined> | undefined;
  let connection: Session | undefined;
  // The pool ends with one such event for each of its connections.
  if (isPgPool(pool)) {
    pool.on('remove', () => {
      if (!pool.ending) return;
      connection?.end().catch(() => undefined);
      connection = undefined;
    });
  }
  const leaseOnly = (why: string): undefined => {
    warn({
      code: 'LEASE_ONLY',
      message: `${why}, so no session lock can show that this process is alive. If it dies, its operations are free five seconds after their deadline, not at once.`,
    });
  };
  async function open(lose: () => void, isTooLate: () => boolean): Promise<number | undefined> {
    if (!isPgPool(pool)) return leaseOnly('The pool does not say how to make a connection of its own');
    // The pool may have a time limit for idle connections, and may give one of its own to somebody else.
    const own: Session = new pool.Client(pool.options);
    const number = newNumber();
    // What fails before the lock is held rejects the statement that it hits.
    own.on('error', () => undefined);
    try {
      await own.connect();
      const { rows } = await own.query('SELECT pg_backend_pid() AS pid');
      // A pooler gives each client a number of its own. Its connections may change with every transaction.
      if (rows[0]?.pid !== own.processID) {
        await own.end();
        return leaseOnly('A connection pooler such as pgbouncer is in front of Postgres');
      }
      // Before the lock is held, so that the engine always notices in seconds, and not after hours, that this machine is
      // gone: by silence, or by an answer that is not confirmed.
      await own.query(
        'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 11000',
      );
      const locked = await own.query(`SELECT pg_try_advisory_lock(${lockClass}, $1) AS is_locked`, [number]);
      if (isTooLate()) throw new Error('the engine did not answer in time');
      if (locked.rows[0]?.is_locked !== true)
        throw new Error('The number of this process is in use. Try again.');
    } catch (error) {
      own.end().catch(() => undefined);
      throw error;
    }
    own.on('error', lose);
    own.on('end', lose);
    own.unref();
    connection = own;
    return number;
  }

  async function openInTime(lose: () => void, timeoutMs: number): Promise<number | undefined> {
    const endsAt = performance.now() + timeoutMs;
    for (let delayMs = 25; ; delayMs = Math.min(delayMs * 2, 400)) {
      try {
        return await withTimeLimit((isTooLate) => open(lose, isTooLate), endsAt - performance.now());
      } catch (error) {
        if (!isTransient(error) || performance.now() + delayMs >= endsAt)
          throw toFleetError('The session lock of this process', error);
        await sleep(delayMs);
      }
    }
  }

  function start(timeoutMs: number): Promise<number | undefined> {
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

  return { isEmbedded: false, current: (timeoutMs) => session ?? start(timeoutMs) };
}

/** Rejects if a session cannot be made in time. `work` asks whether this has happened, and then closes what it has opened. */
async function withTimeLimit<T>(work: (isTooLate: () => boolean) => Promise<T>, ms: number): Promise<T> {
  const limit = new AbortController();
  const { signal } = limit;
  let isTooLate = false;
  const tooLate = sleep(Math.max(1, ms), undefined, { signal, ref: false }).then(() => {
    isTooLate = true;
    throw new Error('the engine did not answer in time');
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
