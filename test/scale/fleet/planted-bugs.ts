import type { Queryable } from '../../../packages/fleet/src/postgres.ts';

/**
 * Replaces the decision about a place by a counter that starts again at every full window. The first request comes in the
 * middle of one, so that it is followed by those of the next one.
 */
export async function plantWindowByCounter(pool: Queryable): Promise<void> {
  await pool.query(`
    CREATE TABLE orgchat.counters (line text, number bigint, used integer, PRIMARY KEY (line, number));
    CREATE TABLE orgchat.first_requests (line text PRIMARY KEY, at_ms float8);
    CREATE OR REPLACE FUNCTION orgchat.reserve_place(
      its_line text, its_place text, per_window integer, max_wait_ms float8, hold_ms float8, window_ms float8
    ) RETURNS TABLE (state text, wait_ms float8, ask_again_ms float8) LANGUAGE plpgsql AS $$
    DECLARE now_ms float8 := extract(epoch FROM clock_timestamp()) * 1000; first_ms float8; count integer;
    BEGIN
      INSERT INTO orgchat.first_requests AS f VALUES (its_line, now_ms)
        ON CONFLICT (line) DO UPDATE SET at_ms = f.at_ms RETURNING f.at_ms INTO first_ms;
      INSERT INTO orgchat.counters AS c VALUES (its_line, floor((now_ms - first_ms) / window_ms + 0.5), 1)
        ON CONFLICT (line, number) DO UPDATE SET used = c.used + 1 RETURNING c.used INTO count;
      RETURN QUERY SELECT CASE WHEN count <= per_window THEN 'granted' ELSE 'waiting' END, 500::float8, 500::float8;
    END $$`);
}
