import type { Journal } from '@orgchat/sdk';
import { migrate, outbox, postgresJournal } from '../../packages/fleet/src/postgres.ts';
import { startPostgres } from '../../packages/fleet/test-support/postgres-server.ts';
import type { PlantedBug } from './messages.ts';
import { plantWindowByCounter } from './planted-bugs.ts';

/** An engine that workers share, as the soak sees it. */
export interface SharedEngine {
  readonly port: number;
  readonly journal: Journal;
  /** Ends the engine without a word. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** How many changes wait in the outbox; NaN while the engine cannot say. */
  countWaiting(): Promise<number>;
  /** Everything in the outbox. */
  listOutbox(): Promise<readonly unknown[]>;
}

/** Starts a Postgres with the tables of the fleet and of an application. */
export async function startPostgresEngine(bug: PlantedBug | undefined): Promise<SharedEngine> {
  const server = await startPostgres();
  const pool = server.pool({ max: 3 });
  await migrate(pool);
  await pool.query('CREATE TABLE orders (number integer PRIMARY KEY)');
  if (bug === 'window-by-counter') await plantWindowByCounter(pool);
  return {
    port: server.port,
    journal: postgresJournal(pool),
    kill: () => server.kill('SIGKILL'),
    start: server.start,
    stop: server.stop,
    async countWaiting() {
      try {
        const { rows } = await pool.query('SELECT count(*)::int AS waiting FROM orgchat.outbox');
        return rows[0].waiting;
      } catch {
        return Number.NaN;
      }
    },
    listOutbox: () => outbox(pool).list(),
  };
}
