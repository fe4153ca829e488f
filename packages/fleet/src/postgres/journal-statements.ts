import { lockClass } from './locks.ts';

/**
 * The statements of the journal. Each is one round trip, and may be repeated with the same values. Leases are durations
 * that the engine adds to its own clock. `clock_timestamp()` and not `now()`: a statement may wait for a lock first.
 */
export function journalStatements(schema: string, isEmbedded: boolean) {
  const table = `${schema}.journal`;
  const one = 'target = $1 AND operation_id = $2';
  const lease = (ms: string): string => `clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;
  // Nobody but a living process has its lock. A shared one, so that several processes may look at once.
  const isHolderDead = isEmbedded
    ? 'j.holder IS DISTINCT FROM $5::integer'
    : `CASE WHEN j.holder IS NULL THEN false ELSE pg_try_advisory_xact_lock_shared(${lockClass}, j.holder) END`;
  const list = (condition: string): string => `
    SELECT operation_id, entry, token, deadline FROM ${table}
    WHERE target = $1 AND (created_at, operation_id) > ($2, $3)${condition}
    ORDER BY created_at, operation_id LIMIT $4::bigint`;
  return {
    add: `
      INSERT INTO ${table} AS j
        (target, operation_id, created_at, is_open, entry, token, deadline, holder, lease_ends_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8::integer, ${lease('$9')})
      ON CONFLICT (target, operation_id) DO UPDATE
        SET holder = excluded.holder, lease_ends_at = excluded.lease_ends_at
        WHERE j.token = excluded.token AND j.lease_ends_at IS NOT NULL
      RETURNING 1`,
    get: `
      SELECT operation_id, entry, token, deadline,
        coalesce(settled_at < clock_timestamp() - interval '1 day', false) AS is_old
      FROM ${table} WHERE ${one}`,
    claim: `
      WITH claimed AS (
        UPDATE ${table} AS j
        SET token = $3, deadline = $4, holder = $5::integer, lease_ends_at = ${lease('$6')}
        WHERE ${one} AND CASE
          WHEN j.lease_ends_at IS NULL OR j.token = $3 OR j.lease_ends_at <= clock_timestamp() THEN true
          ELSE ${isHolderDead}
        END
        RETURNING operation_id, entry, token, deadline
      )
      SELECT operation_id, entry, token, deadline, NULL::float8 AS rest_ms FROM claimed
      UNION ALL
      SELECT operation_id, NULL, NULL, NULL,
        extract(epoch FROM lease_ends_at - clock_timestamp())::float8 * 1000
      FROM ${table} WHERE ${one} AND NOT EXISTS (SELECT 1 FROM claimed)`,
    settle: `
      UPDATE ${table}
      SET entry = $4, deadline = $5, is_open = $6, holder = NULL, lease_ends_at = NULL,
        settled_at = CASE WHEN $6 THEN NULL ELSE clock_timestamp() END
      WHERE ${one} AND token IS NOT DISTINCT FROM $3::text
      RETURNING 1`,
    list: list(''),
    listOpen: list(' AND is_open'),
    remove: `DELETE FROM ${table} WHERE ${one} AND ($3::text IS NULL OR token = $3) RETURNING 1`,
    /** For what failed: lets go of an entry under this very token. */
    release: `
      UPDATE ${table} SET holder = NULL, lease_ends_at = NULL
      WHERE ${one} AND token IS NOT DISTINCT FROM $3::text`,
    removeHeld: `DELETE FROM ${table} WHERE ${one} AND token IS NOT DISTINCT FROM $3::text`,
  };
}
