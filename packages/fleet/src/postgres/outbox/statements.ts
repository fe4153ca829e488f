import { isHolderDead, isLimited, leaseEnd, lockLimit } from '../locks.ts';

/** The table of the outbox. A row that was applied is removed. One that ended otherwise stays until somebody looks at it. */
export function outboxTables(schema: string): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${schema}.outbox (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      organization text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      operation_id text COLLATE "C" NOT NULL,
      change text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      state text COLLATE "C" NOT NULL DEFAULT 'open',
      attempts integer NOT NULL DEFAULT 0,
      repeats integer NOT NULL DEFAULT 0,
      error text,
      not_before timestamptz,
      token text,
      holder integer,
      lease_ends_at timestamptz,
      UNIQUE (organization, name, operation_id)
    )`,
    `CREATE INDEX IF NOT EXISTS outbox_open ON ${schema}.outbox (organization, name, id) WHERE state = 'open'`,
  ];
}

/** The statements of the outbox. `add` runs in the transaction of the application, the others one by one. */
export function outboxStatements(schema: string, isEmbedded: boolean) {
  const table = `${schema}.outbox`;
  const ofThisBox = 'organization = $1 AND name = $2';
  const mine = 'id = $1::bigint AND token = $2';
  const createdMs = 'extract(epoch FROM created_at)::float8 * 1000 AS created_ms';
  const entry = `operation_id, change, state, attempts, error, ${createdMs}`;
  const held = `${ofThisBox} AND state = 'open' AND token = $3 AND lease_ends_at IS NOT NULL`;
  const free = 'token = NULL, holder = NULL, lease_ends_at = NULL';
  return {
    /** Returns the change that is stored under the id: this one, or an earlier one. Until the commit, its row is locked. */
    add: `
      INSERT INTO ${table} AS o (organization, name, operation_id, change) VALUES ($1, $2, $3, $4)
      ON CONFLICT (organization, name, operation_id) DO UPDATE SET change = o.change RETURNING change, state`,
    /** The row gets another id: a relay that still has the change that ended knows the row by its id, and must not end this one. */
    reopen: `
      UPDATE ${table} SET id = DEFAULT, change = $4, state = 'open', attempts = 0, repeats = 0, error = NULL,
        not_before = NULL, created_at = clock_timestamp()
      WHERE ${ofThisBox} AND operation_id = $3`,
    last: `SELECT coalesce(max(id), 0)::text AS id FROM ${table} WHERE ${ofThisBox}`,
    /**
     * Not to be repeated with the same token: it would take more. A plain subquery in its place may be run once for each
     * row of the table, and the LIMIT then holds for each run.
     */
    claim: `
      WITH picked AS MATERIALIZED (
        SELECT id FROM ${table} o
        WHERE ${ofThisBox} AND state = 'open' AND id <= $6::bigint AND NOT (id = ANY($7::bigint[]))
          AND ($8::boolean OR not_before IS NULL OR not_before <= clock_timestamp())
          AND CASE WHEN lease_ends_at IS NULL OR lease_ends_at <= clock_timestamp() THEN true
            ELSE ${isHolderDead('o', '$4', isEmbedded)} END
        ORDER BY id LIMIT $9::bigint FOR UPDATE SKIP LOCKED
      )
      UPDATE ${table} SET token = $3, holder = $4::integer, attempts = attempts + 1,
        lease_ends_at = ${leaseEnd('$5')}
      WHERE id IN (SELECT id FROM picked)
      RETURNING id::text AS id, operation_id, change, attempts, repeats, ${createdMs},
        extract(epoch FROM clock_timestamp() - created_at)::float8 * 1000 AS age_ms,
        (SELECT b.lease_ends_at IS NOT NULL FROM ${table} AS b WHERE b.id = ${table}.id) AS was_held`,
    /**
     * Holds everything under a token for longer, except for rows that somebody else has locked. Returns those of the last
     * value that another relay has taken.
     */
    renew: `
      WITH renewed AS (
        UPDATE ${table} SET holder = $4::integer, lease_ends_at = ${leaseEnd('$5')}
        WHERE id IN (SELECT id FROM ${table} WHERE ${held} FOR UPDATE SKIP LOCKED)
      )
      SELECT id::text AS id FROM ${table} WHERE id = ANY($6::bigint[]) AND token <> $3`,
    /**
     * Lets go of everything under a token: nothing of it was tried. Returns a row if a row is locked, so that this has to
     * be repeated: a transaction of the application may have added the same change again, and has not ended.
     */
    release: `
      WITH freed AS (
        UPDATE ${table} SET ${free}, attempts = attempts - 1
        WHERE id IN (SELECT id FROM ${table} WHERE ${held} FOR UPDATE SKIP LOCKED) RETURNING id
      )
      SELECT 1 FROM ${table} WHERE ${held} AND id NOT IN (SELECT id FROM freed) LIMIT 1`,
    /** Also if another relay has it now: it is applied, and that relay would only learn so. The last value limits the wait. */
    applied: `DELETE FROM ${table} USING ${lockLimit('$2')} WHERE ${isLimited} AND id = $1::bigint`,
    /** The token stays, so that a repeated call finds the row again. */
    later: `
      UPDATE ${table} SET holder = NULL, lease_ends_at = NULL, error = $3, state = $4,
        not_before = clock_timestamp() + $5::float8 * interval '1 millisecond',
        repeats = $6::integer
      FROM ${lockLimit('$7')} WHERE ${isLimited} AND ${mine} RETURNING 1`,
    list: `
      SELECT ${entry} FROM ${table}
      WHERE ${ofThisBox} AND id <= $3::bigint AND ($4::text IS NULL OR state = $4) ORDER BY id LIMIT $5::bigint`,
    get: `SELECT ${entry} FROM ${table} WHERE ${ofThisBox} AND operation_id = $3`,
    /** The oldest of those that were added so many milliseconds ago. */
    stuck: `
      SELECT id::text AS id, ${entry} FROM ${table}
      WHERE ${ofThisBox} AND state = 'open'
        AND created_at < clock_timestamp() - $3::float8 * interval '1 millisecond' ORDER BY id LIMIT 1000`,
    stats: `
      SELECT count(*) FILTER (WHERE state = 'open') AS open, count(*) FILTER (WHERE state = 'refused') AS refused,
        count(*) FILTER (WHERE state = 'unknown') AS unknown,
        count(*) FILTER (WHERE state = 'open' AND lease_ends_at > clock_timestamp()) AS sending,
        extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE state = 'open'))::float8 * 1000
          AS oldest_open_ms
      FROM ${table} WHERE ${ofThisBox}`,
    /** The outboxes of an organization, for who looks at all of them. */
    names: `SELECT DISTINCT name FROM ${table} WHERE organization = $1 ORDER BY name`,
    /** With another id, as `reopen`. */
    retryEnded: `
      UPDATE ${table} SET id = DEFAULT, state = 'open', attempts = 0, repeats = 0, error = NULL,
        not_before = NULL, created_at = clock_timestamp()
      FROM ${lockLimit('$4')} WHERE ${isLimited} AND ${ofThisBox} AND operation_id = $3 AND state <> 'open' RETURNING 1`,
    retryOpen: `
      UPDATE ${table} SET not_before = NULL
      FROM ${lockLimit('$4')} WHERE ${isLimited} AND ${ofThisBox} AND operation_id = $3 AND state = 'open' RETURNING 1`,
    remove: `
      DELETE FROM ${table} USING ${lockLimit('$4')} WHERE ${isLimited} AND ${ofThisBox} AND operation_id = $3 RETURNING 1`,
  };
}
