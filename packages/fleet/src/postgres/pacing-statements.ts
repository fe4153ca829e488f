import { pauseMs, shortestPauseMs, slackMs } from '../pacing-rules.ts';
import { pacingLockClass } from './locks.ts';

const ms = (value: string): string => `${value} * interval '1 millisecond'`;

/** A place that waits is stored again at most this often, in milliseconds, however often it asks. */
const renewMs = 500;

/** Numbers of a line beyond those in use, before its places get new ones. */
const spareNumbers = 64;

/**
 * The tables of the pacing, and the function that decides. A place waits in line until it is granted, and then counts
 * until `ends_at`: a window after its answer, or after the time that its request may take. One that has ended stays for a
 * while, and does not count. All times are those of the engine.
 *
 * While a transaction has an old snapshot, such as that of a backup, Postgres keeps every version of every row. So no
 * decision may depend on how many there are:
 *
 * - Whatever is stored about a place has the next number of its line, and `first_number` is below those in use. A decision
 *   reads the versions from there on. If they become too many, the places in use get new numbers, in their order.
 * - The newest row of a line is found by its number, and is never removed, so that numbers only grow.
 * - A lock lets one decision be made at a time, and no row of the line that each would write.
 * - A plan that was made for a small table would read all of it: only indexes are used.
 *
 * Only under READ COMMITTED does a statement see what was committed while it waited for the lock. `take_place` decides under
 * it, whatever the default of the role is: only a procedure can begin a transaction, and it needs no more round trips.
 */
export function pacingTables(schema: string): readonly string[] {
  const inUse = 'p.line = its_line AND p.number >= first_one';
  return [
    `CREATE TABLE IF NOT EXISTS ${schema}.pacing_lines (
      line text COLLATE "C" PRIMARY KEY,
      first_number bigint NOT NULL,
      blocked_until timestamptz
    ) WITH (fillfactor = 50)`,
    `CREATE TABLE IF NOT EXISTS ${schema}.pacing_places (
      line text COLLATE "C" NOT NULL,
      number bigint NOT NULL,
      place text COLLATE "C" NOT NULL,
      position bigint NOT NULL,
      is_granted boolean NOT NULL,
      is_answered boolean NOT NULL DEFAULT false,
      ends_at timestamptz NOT NULL,
      PRIMARY KEY (line, number)
    ) WITH (fillfactor = 70)`,
    `CREATE INDEX IF NOT EXISTS pacing_places_place ON ${schema}.pacing_places (line, place, number)`,
    `CREATE OR REPLACE FUNCTION ${schema}.reserve_place(
      its_line text, its_place text, per_window integer, max_wait_ms float8, hold_ms float8, window_ms float8
    ) RETURNS TABLE (state text, wait_ms float8, ask_again_ms float8) LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_bitmapscan = off AS $reserve$
    DECLARE
      moment timestamptz; blocked timestamptz; first_one bigint; newest bigint; mine ${schema}.pacing_places;
      used integer; ahead integer; living integer; ended integer; slot integer; kept_until timestamptz;
    BEGIN
      IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'the pacing decides under READ COMMITTED only' USING ERRCODE = '40001';
      END IF;
      PERFORM pg_advisory_xact_lock(${pacingLockClass}, hashtext(its_line));
      SELECT l.first_number, l.blocked_until INTO first_one, blocked FROM ${schema}.pacing_lines l WHERE l.line = its_line;
      IF NOT FOUND THEN
        INSERT INTO ${schema}.pacing_lines (line, first_number) VALUES (its_line, 0);
        first_one := 0;
      END IF;
      moment := clock_timestamp();
      SELECT p.number INTO newest FROM ${schema}.pacing_places p WHERE ${inUse} ORDER BY p.number DESC LIMIT 1;
      newest := coalesce(newest, first_one);
      SELECT * INTO mine FROM ${schema}.pacing_places p
        WHERE ${inUse} AND p.place = its_place AND p.ends_at > moment LIMIT 1;
      SELECT count(*) FILTER (WHERE p.ends_at <= moment),
        count(*) FILTER (WHERE p.ends_at > moment),
        count(*) FILTER (WHERE p.ends_at > moment AND p.is_granted),
        count(*) FILTER (WHERE p.ends_at > moment AND NOT p.is_granted AND p.position < coalesce(mine.position, newest + 1))
        INTO ended, living, used, ahead FROM ${schema}.pacing_places p WHERE ${inUse};
      slot := ahead % per_window - (per_window - used);
      wait_ms := floor(ahead / per_window) * window_ms;
      IF slot >= 0 THEN
        wait_ms := wait_ms + (
          SELECT 1000 * extract(epoch FROM CASE WHEN p.is_answered THEN p.ends_at ELSE moment + ${ms('window_ms')} END - moment)
          FROM ${schema}.pacing_places p WHERE ${inUse} AND p.is_granted AND p.ends_at > moment
          ORDER BY p.is_answered DESC, p.ends_at OFFSET slot LIMIT 1);
      END IF;
      wait_ms := greatest(wait_ms, 1000 * extract(epoch FROM blocked - moment), 0);
      ask_again_ms := greatest(
        least(wait_ms, greatest(${pauseMs}, wait_ms / 10)),
        CASE WHEN wait_ms = 0 THEN least(ahead * ${shortestPauseMs}, ${pauseMs}) ELSE ${shortestPauseMs} END);
      IF mine.is_granted OR (ahead = 0 AND wait_ms = 0) THEN
        state := 'granted';
        kept_until := moment + ${ms('(hold_ms + window_ms)')};
        wait_ms := 0;
        ask_again_ms := 0;
      ELSIF wait_ms > max_wait_ms THEN
        state := 'refused';
        ask_again_ms := 0;
        UPDATE ${schema}.pacing_places p SET ends_at = '-infinity' WHERE p.line = its_line AND p.number = mine.number;
      ELSE
        state := 'waiting';
        kept_until := moment + ${ms(`(ask_again_ms + ${slackMs})`)};
        wait_ms := greatest(wait_ms, ask_again_ms);
      END IF;
      IF state <> 'refused' AND mine.number IS NULL THEN
        newest := newest + 1;
        INSERT INTO ${schema}.pacing_places (line, number, place, position, is_granted, ends_at)
          VALUES (its_line, newest, its_place, newest, state = 'granted', kept_until);
      ELSIF NOT mine.is_granted AND (state = 'granted' OR (state = 'waiting' AND mine.ends_at < kept_until)) THEN
        newest := newest + 1;
        UPDATE ${schema}.pacing_places p
          SET number = newest, is_granted = (state = 'granted'),
            ends_at = kept_until + CASE WHEN state = 'granted' THEN interval '0' ELSE ${ms(String(renewMs))} END
          WHERE p.line = its_line AND p.number = mine.number;
      END IF;
      IF newest - first_one > ${spareNumbers} + 2 * living OR ended > 16 + living THEN
        DELETE FROM ${schema}.pacing_places p WHERE ${inUse} AND p.number < newest AND p.ends_at <= moment;
      END IF;
      IF newest - first_one > ${spareNumbers} + 2 * living THEN
        UPDATE ${schema}.pacing_places p SET number = newest + r.rank
          FROM (
            SELECT p.number, row_number() OVER (ORDER BY p.number) AS rank FROM ${schema}.pacing_places p WHERE ${inUse}
          ) r
          WHERE p.line = its_line AND p.number = r.number;
        UPDATE ${schema}.pacing_lines l SET first_number = newest + 1 WHERE l.line = its_line;
      END IF;
      RETURN NEXT;
    END $reserve$`,
    `CREATE OR REPLACE PROCEDURE ${schema}.take_place(
      its_line text, its_place text, per_window integer, max_wait_ms float8, hold_ms float8, window_ms float8,
      INOUT state text, INOUT wait_ms float8, INOUT ask_again_ms float8
    ) LANGUAGE plpgsql AS $take$
    BEGIN
      IF current_setting('transaction_isolation') <> 'read committed' THEN
        COMMIT;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
      END IF;
      SELECT r.state, r.wait_ms, r.ask_again_ms INTO state, wait_ms, ask_again_ms
        FROM ${schema}.reserve_place(its_line, its_place, per_window, max_wait_ms, hold_ms, window_ms) r;
    END $take$`,
  ];
}

/** The statements of the pacing. Each is one round trip, and may be repeated with the same values. */
export function pacingStatements(schema: string) {
  const one = `line = $1 AND place = $2
    AND number >= (SELECT l.first_number FROM ${schema}.pacing_lines l WHERE l.line = $1)`;
  return {
    reserve: `CALL ${schema}.take_place($1, $2, $3, $4, $5, $6, NULL, NULL, NULL)`,
    /** Places per window, window in milliseconds. Decides nothing: it counts as `reserve_place` does, from the first number in use on. */
    stats: `
      WITH moments AS MATERIALIZED (SELECT clock_timestamp() AS moment), counts AS MATERIALIZED (
        SELECT l.line, l.first_number, moment, blocked_until, c.waiting, c.used, c.waiting % $1::integer - ($1 - c.used) AS slot
        FROM moments, ${schema}.pacing_lines AS l, LATERAL (
          SELECT count(*) FILTER (WHERE NOT is_granted) AS waiting, count(*) FILTER (WHERE is_granted) AS used
          FROM ${schema}.pacing_places AS p WHERE p.line = l.line AND p.number >= l.first_number AND p.ends_at > moment
        ) AS c
        WHERE c.waiting + c.used > 0 OR blocked_until > moment
      )
      SELECT count(*) AS lines, coalesce(sum(waiting), 0) AS waiting, coalesce(sum(used), 0) AS in_use,
        coalesce(max(greatest(
          waiting / $1 * $2::float8 + CASE WHEN slot < 0 THEN 0 ELSE (
            SELECT 1000 * extract(epoch FROM CASE WHEN is_answered THEN ends_at ELSE moment + ${ms('$2')} END - moment)
            FROM ${schema}.pacing_places AS p
            WHERE p.line = counts.line AND p.number >= counts.first_number AND is_granted AND ends_at > moment
            ORDER BY is_answered DESC, ends_at OFFSET counts.slot LIMIT 1
          ) END,
          1000 * extract(epoch FROM blocked_until - moment), 0)), 0)::float8 AS wait_ms
      FROM counts`,
    release: `
      WITH unused AS (UPDATE ${schema}.pacing_places SET ends_at = '-infinity' WHERE ${one} AND $3),
      answered AS (
        UPDATE ${schema}.pacing_places SET is_answered = true, ends_at = clock_timestamp() + ${ms('$4::float8')}
        WHERE ${one} AND NOT $3 AND is_granted AND NOT is_answered
      )
      UPDATE ${schema}.pacing_lines
      SET blocked_until = greatest(blocked_until, clock_timestamp() + ${ms('$5::float8')})
      WHERE line = $1 AND $5::float8 IS NOT NULL`,
  };
}
