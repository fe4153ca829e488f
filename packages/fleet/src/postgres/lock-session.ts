import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockClass } from './locks.ts';
import type { PgPool, Session } from './pool.ts';

/** A connection with the lock of this process, or why there can be none. */
export type LockSession = { readonly connection: Session } | { readonly leaseOnly: string };

/**
 * Before the lock is held, so that the engine always notices in seconds, and not after hours, that this machine is gone:
 * by silence, or by an answer that is not confirmed. And so that it never ends the session of a living process because
 * it is idle; versions before 14 have no such setting.
 */
const settings = `
  SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 11000;
  SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'`;

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

/**
 * Opens a connection of its own from the options of a pool, and takes the lock with this number. `isTooLate` says that
 * nobody waits any more, as after the time limit.
 */
export async function openLockSession(
  pool: PgPool,
  number: number,
  { timeoutMs, isTooLate }: { readonly timeoutMs: number; readonly isTooLate: () => boolean },
): Promise<LockSession> {
  if (pool.ending) throw new Error('the pool was ended');
  // The pool may have a time limit for idle connections, and may give one of its own to somebody else.
  const own: Session = new pool.Client(pool.options);
  // What fails before the lock is held rejects the statement that it hits.
  own.on('error', () => undefined);
  try {
    await own.connect();
    if (!(await isSession(own, pool, timeoutMs / 4))) {
      await own.end();
      return { leaseOnly: 'A connection pooler such as pgbouncer is in front of Postgres' };
    }
    await own.query(settings);
    const locked = await own.query(`SELECT pg_try_advisory_lock(${lockClass}, $1) AS is_locked`, [number]);
    if (isTooLate()) throw new Error('Postgres did not answer in time');
    if (locked.rows[0]?.is_locked !== true)
      throw new Error('The number of this process is in use. Try again.');
    if (pool.ending) throw new Error('the pool was ended');
  } catch (error) {
    own.end().catch(() => undefined);
    throw error;
  }
  return { connection: own };
}
