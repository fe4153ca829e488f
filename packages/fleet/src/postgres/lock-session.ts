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

/** Opens a connection of its own from the options of a pool, and takes the lock with this number. `isTooLate` says that nobody waits any more. */
export async function openLockSession(
  pool: PgPool,
  number: number,
  isTooLate: () => boolean,
): Promise<LockSession> {
  if (pool.ending) throw new Error('the pool was ended');
  // The pool may have a time limit for idle connections, and may give one of its own to somebody else.
  const own: Session = new pool.Client(pool.options);
  // What fails before the lock is held rejects the statement that it hits.
  own.on('error', () => undefined);
  try {
    await own.connect();
    const { rows } = await own.query('SELECT pg_backend_pid() AS pid');
    // A pooler gives each client a number of its own. Its connections may change with every transaction.
    if (rows[0]?.pid !== own.processID) {
      await own.end();
      return { leaseOnly: 'A connection pooler such as pgbouncer is in front of Postgres' };
    }
    await own.query(settings);
    const locked = await own.query(`SELECT pg_try_advisory_lock(${lockClass}, $1) AS is_locked`, [number]);
    if (isTooLate()) throw new Error('the engine did not answer in time');
    if (locked.rows[0]?.is_locked !== true)
      throw new Error('The number of this process is in use. Try again.');
    if (pool.ending) throw new Error('the pool was ended');
  } catch (error) {
    own.end().catch(() => undefined);
    throw error;
  }
  return { connection: own };
}
