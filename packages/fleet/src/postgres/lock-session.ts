import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockClass } from './locks.ts';
import type { PgPool, Session } from './pool.ts';

/** A connection with the lock of this process, why there can be none, or that another session has the lock. */
export type LockSession =
  | { readonly connection: Session }
  | { readonly leaseOnly: string }
  | { readonly isInUse: true };

/**
 * Before the lock is held, so that the engine always notices in seconds, and not after hours, that this machine is gone:
 * by silence, or by an answer that is not confirmed. And so that it never ends the session of a living process because
 * it is idle; versions before 14 have no such setting. Its name says what it is for, and whose it is.
 */
const settings = `
  SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 11000;
  SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout';
  SELECT set_config('application_name', left(current_setting('application_name'), 58) || ' lock', false)`;

/** How long a notification may take at most, in milliseconds. */
const notifyMs = 500;

/**
 * Returns whether a connection has a session of the engine for itself. Behind a pooler in transaction mode, that of one
 * statement is shared with others, and that of the next may be another one: a session lock would be anybody's.
 */
async function isSession(own: Session, pool: PgPool, longestMs: number): Promise<boolean> {
  const { rows } = await own.query('SELECT pg_backend_pid() AS pid');
  if (rows[0]?.pid === own.processID) return true;
  // A pooler gives each client a number of its own, in every mode. But an idle client only hears of a notification from
  // another connection if it still has the session in which it began to listen.
  const channel = `orgchat_${randomUUID().replaceAll('-', '')}`;
  const heard = new Promise<boolean>((resolve) => {
    // A shared session may pass on what somebody else listens to.
    own.on('notification', (notification) => {
      if (notification.channel === channel) resolve(true);
    });
  });
  await own.query(`LISTEN ${channel}`);
  await pool.query(`NOTIFY ${channel}`);
  const isHeard = await Promise.race([heard, sleep(Math.min(notifyMs, longestMs), false, { ref: false })]);
  await own.query(`UNLISTEN ${channel}`);
  return isHeard;
}

/** Takes a lock, and says whether the session has it. A session that has it already only confirms that. */
const takeLock = `SELECT pg_try_advisory_lock(${lockClass}, $1) AS is_locked, pg_is_in_recovery() AS is_standby`;

/**
 * Asks the engine whether a session has the lock with this number. An engine that was demoted still has it, but nobody
 * asks there.
 */
export async function askForLock(own: Session, number: number): Promise<boolean> {
  const [row] = (await own.query(takeLock, [number])).rows;
  return row?.is_locked === true && row.is_standby !== true;
}

/** Ends the session that has a lock: an earlier one of this process, whose connection broke without a word. */
const endEarlierSession = `
  SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${lockClass} AND objid = $1::int AND mode = 'ExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** How a session is opened. */
export interface LockSessionLimits {
  readonly timeoutMs: number;
  /** Says that nobody waits any more, as after the time limit. */
  isTooLate(): boolean;
  /** Whether this process had the lock before. */
  readonly isAgain: boolean;
}

/**
 * Returns the options of a pool with another time limit. With a `connectionString`, pg reads only what is enumerable and
 * not inherited, such as `ssl`. What is secret is not enumerable, and has to stay so.
 */
const copyOptions = (options: object, connectionTimeoutMillis: number): object =>
  Object.create(Object.getPrototypeOf(options), {
    ...Object.getOwnPropertyDescriptors(options),
    connectionTimeoutMillis: { value: connectionTimeoutMillis, enumerable: true },
  });

/** Opens a connection of its own from the options of a pool, and takes the lock with this number. */
export async function openLockSession(
  pool: PgPool,
  number: number,
  { timeoutMs, isTooLate, isAgain }: LockSessionLimits,
): Promise<LockSession> {
  if (pool.ending) throw new Error('the pool was ended');
  // The pool may have a time limit for idle connections, and may give one of its own to somebody else.
  const own: Session = new pool.Client(copyOptions(pool.options, Math.max(1, Math.ceil(timeoutMs))));
  // What fails before the lock is held rejects the statement that it hits.
  own.on('error', () => undefined);
  const end = (): void => void own.end().catch(() => undefined);
  try {
    await own.connect();
    if (!(await isSession(own, pool, timeoutMs / 4))) {
      await own.end();
      return { leaseOnly: 'A connection pooler such as pgbouncer is in front of Postgres' };
    }
    await own.query(settings);
    const [row] = (await own.query(takeLock, [number])).rows;
    if (isTooLate()) throw new Error('Postgres did not answer in time');
    if (row?.is_standby === true)
      throw Object.assign(new Error('this engine is a standby, which can only be read'), { code: '25006' });
    if (row?.is_locked !== true) {
      if (isAgain) await own.query(endEarlierSession, [number]);
      end();
      return { isInUse: true };
    }
    if (pool.ending) throw new Error('the pool was ended');
  } catch (error) {
    end();
    throw error;
  }
  return { connection: own };
}
