import type { Queryable } from '../../../packages/fleet/src/postgres.ts';

/** Replaces the decision about a place by a counter that starts again at every full window. */
export async function plantWindowByCounter(pool: Queryable): Promise<void> {
  await pool.query(`
    CREATE TABLE orgchat.counters (line text, number bigint, used integer, PRIMARY KEY (line, number));
    CREATE OR REPLACE FUNCTION orgchat.reserve_place(
      its_line text, its_place text, per_window integer, max_wait_ms float8, hold_ms float8, window_ms float8
    ) RETURNS TABLE (state text, wait_ms float8, ask_again_ms float8) LANGUAGE plpgsql AS $$
    DECLARE now_ms float8 := extract(epoch FROM clock_timestamp()) * 1000; count integer;
    BEGIN
      INSERT INTO orgchat.counters AS c VALUES (its_line, floor(now_ms / window_ms), 1)
        ON CONFLICT (line, number) DO UPDATE SET used = c.used + 1 RETURNING c.used INTO count;
      RETURN QUERY SELECT CASE WHEN count <= per_window THEN 'granted' ELSE 'waiting' END, 500::float8, 500::float8;
    END $$`);
}
