import { createPostgresPacing } from '../src/postgres/pacing.ts';
import { pacingStatements } from '../src/postgres/pacing-statements.ts';
import { migrate } from '../src/postgres.ts';
import { startPostgres } from './engines/postgres-server.ts';

/** What is done while a transaction with an old snapshot is open, as that of a backup. */
export interface SnapshotRun {
  /** How many decisions of the pacing. */
  readonly decisions: number;
  readonly callers: number;
  /** How many more are made in the engine before, which takes much less time. */
  readonly inEngine?: number;
  /** Whether places are given back unused, or wait in line and ask again. */
  readonly kind: 'unused' | 'waiting';
  /** Whether the first decisions are measured, too. */
  readonly comparesFirst?: boolean;
}

export const snapshotKinds: readonly SnapshotRun['kind'][] = ['unused', 'waiting'];

/** A decision in the engine, and how its place is given back. */
const inEngineOf: Readonly<Record<SnapshotRun['kind'], string>> = {
  unused: `PERFORM orgchat.reserve_place('behind', 'unused ' || n, 1000000, NULL, 60000, 1000);
    EXECUTE $sql$${pacingStatements('orgchat').release}$sql$ USING 'behind', 'unused ' || n, true, 1000, NULL::float8;`,
  waiting: "PERFORM orgchat.reserve_place('behind', 'waits ' || n % 40, 20, NULL, 60000, 1000);",
};

/** What the decisions cost in the end. */
export interface SnapshotCosts {
  readonly decisions: number;
  readonly failures: number;
  /** The message of the first one. */
  readonly failure?: string | undefined;
  /** The most pages that one reads. */
  readonly pages: number;
  /** The most numbers of the line that one looks at. */
  readonly numbers: number;
  /** How many pages one reads on average in the end, divided by the same for the first ones. Undefined if these are not compared. */
  readonly ratio?: number | undefined;
}

/** The most numbers of a line with 40 places that wait, 40 callers and one place that is measured: 64, and two for each. */
const mostNumbers = 64 + 2 * 81;
/** How many decisions are measured for an average. */
const usualCount = 100;
/** More than a decision reads for these. */
const mostPages = 1_000;

/** Whether the costs do not depend on how many decisions were made before. */
export const areBounded = ({ failures, pages, numbers, ratio = 1 }: SnapshotCosts): boolean =>
  failures === 0 && numbers <= mostNumbers && pages <= mostPages && ratio <= 2;

/** Decides in one line while another transaction has an old snapshot. */
export async function decideBehindSnapshot({
  decisions,
  callers,
  inEngine = 0,
  kind,
  comparesFirst = false,
}: SnapshotRun): Promise<SnapshotCosts> {
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
    let failure: string | undefined;
    let begun = 0;

    async function decide(): Promise<void> {
      const place = kind === 'waiting' ? `waits ${begun % 40}` : crypto.randomUUID();
      const perMinute = kind === 'waiting' ? 20 : 1_000_000;
      const request = { line: 'behind', place, perMinute, holdMs: 60_000 };
      try {
        const { state } = await pacing.reserve(request);
        if (state === 'granted') await pacing.release({ ...request, isUnused: kind === 'unused' });
      } catch (error) {
        failures++;
        failure ??= String(error);
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
    async function countNumbers(): Promise<number> {
      const { rows } = await pool.query(
        'SELECT max(p.number) - l.first_number AS count FROM orgchat.pacing_lines l JOIN orgchat.pacing_places p USING (line) GROUP BY l.line',
      );
      return Number(rows[0]?.count);
    }
    // Places get other numbers once in a while, so both go up and down: these are the most in some hundred decisions.
    async function countMost(): Promise<Pick<SnapshotCosts, 'pages' | 'numbers'>> {
      let [pages, numbers] = [0, 0];
      for (let n = 0; n < 21; n++) {
        await decideUntil(begun + 20);
        pages = Math.max(pages, await countPages());
        numbers = Math.max(numbers, await countNumbers());
      }
      return { pages, numbers };
    }
    /** The average of many, because places get other numbers once in a while. */
    async function countUsualPages(): Promise<number> {
      let sum = 0;
      for (let n = 0; n < usualCount; n++) {
        await decideUntil(begun + 10);
        sum += await countPages();
      }
      return sum / usualCount;
    }
    await decideUntil(comparesFirst ? callers * 5 : 0);
    const first = comparesFirst ? await countUsualPages() : undefined;
    await pool.query(`DO $$ BEGIN
      FOR n IN 1..${inEngine} LOOP
        ${inEngineOf[kind]}
        COMMIT;
      END LOOP;
    END $$`);
    await decideUntil(decisions);
    const ratio = first && (await countUsualPages()) / first;
    const most = await countMost();
    await backup.query('ROLLBACK');
    backup.release();
    return { decisions: begun, failures, failure, ...most, ratio };
  } finally {
    await server.stop();
  }
}
