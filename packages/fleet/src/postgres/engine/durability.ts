import type { StoreWarning } from '../../store-warning.ts';
import type { Queryable } from '../pool.ts';

type Warn = (warning: StoreWarning) => void;

/** By pool: who was warned. */
const asked = new WeakMap<Queryable, Set<Warn>>();

/**
 * Warns once if the engine confirms what a crash can lose. Asks in the background, with the first write: a worker that is
 * idle sends nothing. What cannot be asked is no reason to fail.
 */
export function warnUnlessDurable(pool: Queryable, what: string, warn: Warn): void {
  const warned = asked.get(pool) ?? new Set<Warn>();
  asked.set(pool, warned);
  if (warned.has(warn)) return;
  warned.add(warn);
  pool
    .query(`SELECT current_setting('synchronous_commit') AS value`)
    .then(({ rows }) => {
      if (rows[0]?.value !== 'off') return;
      const reason =
        'synchronous_commit is off, so a crash of Postgres loses what it confirmed last (set synchronous_commit on)';
      warn({
        code: 'NOT_DURABLE',
        message: `${what} may lose entries: ${reason}. A change whose entry is lost is not resumed, and may be applied twice if it has no intent.`,
        reasons: [reason],
      });
    })
    .catch(() => warned.delete(warn));
}
