import { createPostgresPacing } from '../src/postgres/pacing.ts';
import { migrate } from '../src/postgres.ts';
import { startPostgres } from './postgres-server.ts';

/** What is done while a transaction with an old snapshot is open, as that of a backup. */
export interface SnapshotRun {
  /** How many decisions of the pacing. */
  readonly decisions: number;
  readonly callers: number;
  /** How many decisions about places that wait are made in the engine before, which takes much less time. */
  readonly inEngine?: number;
  /** Whether places are given back unused, or wait in line and ask again. */
  readonly kind: 'unused' | 'waiting';
}

export const snapshotKinds: readonly SnapshotRun['kind'][] = ['unused', 'waiting'];

/** Decides in one line. Returns how many decisions failed, and the most pages that one reads at first and at the end. */
export async function decideBehindSnapshot({ decisions, callers, inEngine = 0, kind }: SnapshotRun) {
  // Nothing is cleaned while the snapshot is open, with autovacuum or without.
  const server = await startPostgres(['synchronous_commit=off', 'autovacuum=off']);
  try {
    const pool = server.pool({ max: callers });
    await migrate(pool);
    const backup = await server.pool({ max: 1 }).connect();
    await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await backup.query('SELECT 1 FROM orgchat.pacing_places');
    const pacing = createPostgresPacing(pool, {}, 1_000);
    let failures = 0;
    let begun = 0;

    async function decide(): Promise<void> {
      const place = kind === 'waiting' ? `waits ${begun % 40}` : crypto.randomUUID();
      const perMinute = kind === 'waiting' ? 20 : 1_000_000;
      const request = { line: 'behind', place, perMinute, holdMs: 60_000 };
      try {
        const { state } = await pacing.reserve(request);
        if (state === 'granted') await pacing.release({ ...request, isUnused: kind === 'unused' });
      } catch {
        failures++;
      }
    }
    async function decideUntil(count: number): Promise<void> {
      const call = async (): Promise<void> => {
        while (begun < count) {
          begun++;
          await decide();
        }
      };
      await Promise.all(Array.from({ length: callers }, call));
    }
    async function countPages(): Promise<number> {
      const { rows } = await pool.query(
        "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM orgchat.reserve_place('behind', 'measured', 1000000, NULL, 0, 1000)",
      );
      await pacing.release({ line: 'behind', place: 'measured', isUnused: true });
      return Number(rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks']);
    }
    // Places get other numbers once in a while, so the pages go up and down: these are the most in some hundred decisions.
    async function countMostPages(): Promise<number> {
      let most = 0;
      for (let n = 0; n < 21; n++) {
        await decideUntil(begun + 20);
        most = Math.max(most, await countPages());
      }
      return most;
    }
    /** Decides in the engine, which leaves as many places in the line however often it is done. */
    const decideInEngine = (count: number) =>
      pool.query(`DO $$ BEGIN
        FOR n IN 1..${count} LOOP
          PERFORM orgchat.reserve_place('behind', 'waits ' || n % 40, 20, NULL, 60000, 1000);
          COMMIT;
        END LOOP;
      END $$`);
    await decideInEngine(Math.min(inEngine, 200));
    await decideUntil(200);
    const pagesAtFirst = await countMostPages();
    await decideInEngine(inEngine);
    await decideUntil(begun + decisions);
    const pages = await countMostPages();
    await backup.query('ROLLBACK');
    backup.release();
    return { decisions: begun, failures, pagesAtFirst, pages };
  } finally {
    await server.stop();
  }
}
