import { operationStates } from '../journal/add-stats.ts';
import { isHolderDead, isLimited, leaseEnd, lockLimit } from './locks.ts';

/** How many calls that were given up an entry remembers, as characters: the last 25. */
const rememberedLength = 25 * 36;

const msUntil = (column: string): string =>
  `extract(epoch FROM ${column} - clock_timestamp())::float8 * 1000`;

/**
 * The statements of the journal. Each is one round trip, and may be repeated with the same values. Leases are durations
 * that the engine adds to its own clock.
 *
 * What was given up may still be executed: its packet may arrive later, or its commit may be slow. So `giveUpAdd` and
 * `release` wait for a statement in progress, and store the id of the call in `given_up`, where later ones see it. A row
 * without an entry only remembers such calls, until it is removed as a settled one.
 */
export function journalStatements(schema: string, isEmbedded: boolean) {
  const table = `${schema}.journal`;
  const one = 'target = $1 AND operation_id = $2';
  const hasEntry = `(j.entry <> '' OR j.given_up = '')`;
  const isGivenUp = (call: string): string => `position(${call}::text IN j.given_up) > 0`;
  const remember = `right(j.given_up || $4::text, ${rememberedLength})`;
  const isSameHold = 'j.token IS NOT DISTINCT FROM $3::text';
  const columns = `operation_id, entry, token, deadline, ${msUntil('next_attempt_at')} AS next_ms`;
  const list = (condition: string): string => `
    SELECT ${columns}, created_at FROM ${table} AS j
    WHERE target = $1 AND ${hasEntry} AND (created_at, operation_id) > ($2, $3)${condition}
    ORDER BY created_at, operation_id LIMIT $4::bigint`;
  return {
    /** After the values of the entry: holder, lease in milliseconds, id of the call, milliseconds to wait for the row. */
    add: `
      INSERT INTO ${table} AS j
        (target, operation_id, created_at, is_open, entry, token, deadline, holder, lease_ends_at)
      SELECT $1, $2, $3, $4::boolean, $5, $6, $7, $8::integer, ${leaseEnd('$9')}
      FROM ${lockLimit('$11')} WHERE ${isLimited}
      ON CONFLICT (target, operation_id) DO UPDATE
        SET holder = excluded.holder, lease_ends_at = excluded.lease_ends_at, created_at = excluded.created_at,
          is_open = excluded.is_open, entry = excluded.entry, token = excluded.token, deadline = excluded.deadline,
          settled_at = NULL, next_attempt_at = NULL
        WHERE NOT ${isGivenUp('$10')}
          AND CASE WHEN ${hasEntry} THEN j.token = excluded.token AND j.lease_ends_at IS NOT NULL ELSE true END
      RETURNING 1`,
    get: `
      SELECT ${columns},
        coalesce(settled_at < clock_timestamp() - interval '1 day', false) AS is_old
      FROM ${table} AS j WHERE ${one} AND ${hasEntry}`,
    /** Target, id, token, deadline, holder, lease in milliseconds, id of the call, milliseconds to wait for the row. */
    claim: `
      WITH claimed AS (
        UPDATE ${table} AS j
        SET token = $3, deadline = $4, holder = $5::integer, lease_ends_at = ${leaseEnd('$6')}
        FROM ${lockLimit('$8')} WHERE ${isLimited} AND ${one} AND ${hasEntry} AND NOT ${isGivenUp('$7')} AND CASE
          WHEN j.lease_ends_at IS NULL OR j.token = $3 OR j.lease_ends_at <= clock_timestamp() THEN true
          ELSE ${isHolderDead('j', '$5', isEmbedded)}
        END
        RETURNING ${columns}, (
          -- The row as it was.
          SELECT o.lease_ends_at IS NOT NULL AND o.token IS DISTINCT FROM $3
          FROM ${table} AS o WHERE o.target = $1 AND o.operation_id = $2
        ) AS was_held
      )
      SELECT operation_id, entry, token, deadline, next_ms, was_held, NULL::float8 AS rest_ms FROM claimed
      UNION ALL
      SELECT operation_id, NULL, NULL, NULL, NULL, NULL, ${msUntil('lease_ends_at')}
      FROM ${table} AS j WHERE ${one} AND ${hasEntry} AND NOT EXISTS (SELECT 1 FROM claimed)`,
    /** Target, id, token, entry, deadline, whether it is open, milliseconds to the next attempt and to wait for the row. */
    settle: `
      UPDATE ${table} AS j
      SET entry = $4, deadline = $5, is_open = $6, holder = NULL, lease_ends_at = NULL,
        settled_at = CASE WHEN $6 THEN NULL ELSE clock_timestamp() END, next_attempt_at = ${leaseEnd('$7')}
      FROM ${lockLimit('$8')} WHERE ${isLimited} AND ${one} AND ${hasEntry} AND token IS NOT DISTINCT FROM $3::text
      RETURNING 1`,
    list: list(''),
    listOpen: list(' AND is_open'),
    /**
     * Counts a page of entries, after the same values as `list`. A state is the first one in the text: quotes within other
     * fields before it are escaped.
     */
    stats: `
      WITH page AS MATERIALIZED (
        SELECT created_at, operation_id, is_open,
          substring(entry FROM '"state":"(pending|unknown|applied|refused|abandoned)"') AS state
        FROM ${table} AS j WHERE target = $1 AND ${hasEntry} AND (created_at, operation_id) > ($2, $3)
        ORDER BY created_at, operation_id LIMIT $4::bigint
      ), last AS (SELECT created_at, operation_id FROM page ORDER BY 1 DESC, 2 DESC LIMIT 1)
      SELECT count(*) AS count, (SELECT created_at FROM last) AS created_at,
        (SELECT operation_id FROM last) AS operation_id,
        ${operationStates.map((state) => `count(*) FILTER (WHERE state = '${state}') AS ${state}`).join(', ')},
        count(*) FILTER (WHERE is_open AND state IS NOT NULL) AS open,
        min(created_at) FILTER (WHERE is_open AND state IS NOT NULL) AS oldest_open_at
      FROM page`,
    remove: `
      DELETE FROM ${table} AS j USING ${lockLimit('$4')}
      WHERE ${isLimited} AND ${one} AND ${hasEntry} AND ($3::text IS NULL OR token = $3) RETURNING 1`,
    /** Undoes a settlement: the entry is gone. Target, id, token. A full disk may refuse anything else. */
    removeHeld: `
      DELETE FROM ${table} USING ${lockLimit('$4')}
      WHERE ${isLimited} AND ${one} AND token IS NOT DISTINCT FROM $3::text`,
    /** Undoes an addition. Target, id, token, id of the call, milliseconds to wait for a statement in progress. */
    giveUpAdd: `
      INSERT INTO ${table} AS j (target, operation_id, created_at, is_open, entry, deadline, settled_at, given_up)
      SELECT $1, $2, '', false, '', '', clock_timestamp(), $4::text FROM ${lockLimit('$5')} WHERE ${isLimited}
      ON CONFLICT (target, operation_id) DO UPDATE
        SET given_up = ${remember},
          entry = CASE WHEN ${isSameHold} THEN '' ELSE j.entry END,
          is_open = j.is_open AND NOT ${isSameHold},
          lease_ends_at = CASE WHEN ${isSameHold} THEN NULL ELSE j.lease_ends_at END,
          settled_at = CASE WHEN ${isSameHold} THEN clock_timestamp() ELSE j.settled_at END`,
    /**
     * Undoes a claim or settlement: nobody holds the entry under this token. The values are those of `giveUpAdd`. It
     * compares tokens only in the row that it has locked: a claim in progress is about to change that of the one before.
     */
    release: `
      UPDATE ${table} AS j
      SET given_up = ${remember},
        holder = CASE WHEN ${isSameHold} THEN NULL ELSE j.holder END,
        lease_ends_at = CASE WHEN ${isSameHold} THEN NULL ELSE j.lease_ends_at END
      FROM ${lockLimit('$5')} WHERE ${isLimited} AND ${one}`,
  };
}
