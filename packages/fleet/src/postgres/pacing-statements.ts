import { pauseMs, shortestPauseMs, slackMs } from '../pacing-rules.ts';

const ms = (value: string): string => `${value} * interval '1 millisecond'`;

/**
 * The tables of the pacing, and the function that decides. A place waits in line until it is granted, and then counts
 * until `ends_at`: a window after its answer, or after the time that its request may take.
 *
 * The update of the line lets one decision be made at a time, and makes it fail under a stricter isolation than READ
 * COMMITTED instead of deciding by an old snapshot. All times are those of the engine.
 */
export function pacingTables(schema: string): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${schema}.pacing_lines (
      line text COLLATE "C" PRIMARY KEY,
      asked_at timestamptz NOT NULL,
      blocked_until timestamptz
    )`,
    `CREATE TABLE IF NOT EXISTS ${schema}.pacing_places (
      line text COLLATE "C" NOT NULL,
      place text COLLATE "C" NOT NULL,
      number bigint GENERATED ALWAYS AS IDENTITY,
      is_granted boolean NOT NULL DEFAULT false,
      is_answered boolean NOT NULL DEFAULT false,
      ends_at timestamptz NOT NULL,
      PRIMARY KEY (line, place)
    )`,
    `CREATE OR REPLACE FUNCTION ${schema}.reserve_place(
      its_line text, its_place text, per_window integer, max_wait_ms float8, hold_ms float8, window_ms float8
    ) RETURNS TABLE (state text, wait_ms float8, ask_again_ms float8) LANGUAGE plpgsql AS $reserve$
    DECLARE
      moment timestamptz; blocked timestamptz; mine ${schema}.pacing_places; used integer; ahead integer; slot integer;
    BEGIN
      INSERT INTO ${schema}.pacing_lines AS l (line, asked_at) VALUES (its_line, clock_timestamp())
        ON CONFLICT (line) DO UPDATE SET asked_at = clock_timestamp() RETURNING l.blocked_until INTO blocked;
      moment := clock_timestamp();
      DELETE FROM ${schema}.pacing_places p WHERE p.line = its_line AND p.ends_at <= moment;
      INSERT INTO ${schema}.pacing_places (line, place, ends_at)
        VALUES (its_line, its_place, moment + ${ms(String(slackMs))}) ON CONFLICT DO NOTHING;
      SELECT * INTO mine FROM ${schema}.pacing_places p WHERE p.line = its_line AND p.place = its_place;
      SELECT count(*) FILTER (WHERE p.is_granted), count(*) FILTER (WHERE NOT p.is_granted AND p.number < mine.number)
        INTO used, ahead FROM ${schema}.pacing_places p WHERE p.line = its_line;
      slot := ahead % per_window - (per_window - used);
      wait_ms := floor(ahead / per_window) * window_ms;
      IF slot >= 0 THEN
        wait_ms := wait_ms + (
          SELECT 1000 * extract(epoch FROM CASE WHEN p.is_answered THEN p.ends_at ELSE moment + ${ms('window_ms')} END - moment)
          FROM ${schema}.pacing_places p WHERE p.line = its_line AND p.is_granted
          ORDER BY p.is_answered DESC, p.ends_at OFFSET slot LIMIT 1);
      END IF;
      wait_ms := greatest(wait_ms, 1000 * extract(epoch FROM blocked - moment), 0);
      ask_again_ms := greatest(
        least(wait_ms, greatest(${pauseMs}, wait_ms / 10)),
        CASE WHEN wait_ms = 0 THEN least(ahead * ${shortestPauseMs}, ${pauseMs}) ELSE ${shortestPauseMs} END);
      IF mine.is_granted OR (ahead = 0 AND wait_ms = 0) THEN
        UPDATE ${schema}.pacing_places p SET is_granted = true, ends_at = moment + ${ms('(hold_ms + window_ms)')}
          WHERE p.line = its_line AND p.place = its_place AND NOT p.is_granted;
        RETURN QUERY SELECT 'granted', 0::float8, 0::float8;
      ELSIF wait_ms > max_wait_ms THEN
        DELETE FROM ${schema}.pacing_places p WHERE p.line = its_line AND p.place = its_place;
        RETURN QUERY SELECT 'refused', wait_ms, 0::float8;
      ELSE
        UPDATE ${schema}.pacing_places p SET ends_at = moment + ${ms(`(ask_again_ms + ${slackMs})`)}
          WHERE p.line = its_line AND p.place = its_place;
        RETURN QUERY SELECT 'waiting', greatest(wait_ms, ask_again_ms), ask_again_ms;
      END IF;
    END $reserve$`,
  ];
}

/** The statements of the pacing. Each is one round trip, and may be repeated with the same values. */
export function pacingStatements(schema: string) {
  const one = 'line = $1 AND place = $2';
  return {
    reserve: `SELECT state, wait_ms, ask_again_ms FROM ${schema}.reserve_place($1, $2, $3, $4, $5, $6)`,
    /** Places per window, window in milliseconds. Decides nothing: it counts as `reserve_place` does. */
    stats: `
      WITH moments AS MATERIALIZED (SELECT clock_timestamp() AS moment), counts AS MATERIALIZED (
        SELECT l.line, moment, blocked_until, c.waiting, c.used, c.waiting % $1::integer - ($1 - c.used) AS slot
        FROM moments, ${schema}.pacing_lines AS l, LATERAL (
          SELECT count(*) FILTER (WHERE NOT is_granted) AS waiting, count(*) FILTER (WHERE is_granted) AS used
          FROM ${schema}.pacing_places AS p WHERE p.line = l.line AND p.ends_at > moment
        ) AS c
        WHERE c.waiting + c.used > 0 OR blocked_until > moment
      )
      SELECT count(*) AS lines, coalesce(sum(waiting), 0) AS waiting, coalesce(sum(used), 0) AS in_use,
        coalesce(max(greatest(
          waiting / $1 * $2::float8 + CASE WHEN slot < 0 THEN 0 ELSE (
            SELECT 1000 * extract(epoch FROM CASE WHEN is_answered THEN ends_at ELSE moment + ${ms('$2')} END - moment)
            FROM ${schema}.pacing_places AS p WHERE p.line = counts.line AND is_granted AND ends_at > moment
            ORDER BY is_answered DESC, ends_at OFFSET counts.slot LIMIT 1
          ) END,
          1000 * extract(epoch FROM blocked_until - moment), 0)), 0)::float8 AS wait_ms
      FROM counts`,
    release: `
      WITH unused AS (DELETE FROM ${schema}.pacing_places WHERE ${one} AND $3),
      answered AS (
        UPDATE ${schema}.pacing_places SET is_answered = true, ends_at = clock_timestamp() + ${ms('$4::float8')}
        WHERE ${one} AND NOT $3 AND is_granted AND NOT is_answered
      )
      UPDATE ${schema}.pacing_lines
      SET blocked_until = greatest(blocked_until, clock_timestamp() + ${ms('$5::float8')})
      WHERE line = $1 AND $5::float8 IS NOT NULL`,
  };
}
