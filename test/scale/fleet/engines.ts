import type { Journal } from '@orgchat/sdk';
import { migrate, outbox, postgresJournal } from '../../../packages/fleet/src/postgres.ts';
import { redisJournal } from '../../../packages/fleet/src/redis.ts';
import { organization } from '../../../packages/fleet/test-support/organization.ts';
import { startPostgres } from '../../../packages/fleet/test-support/postgres-server.ts';
import { startRedis } from '../../../packages/fleet/test-support/redis-server.ts';
import type { EngineKind, PlantedBug } from './messages.ts';
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

/** Starts an engine of its own. */
export function startEngine(kind: EngineKind, bug: PlantedBug | undefined): Promise<SharedEngine> {
  return kind === 'redis' ? startRedisEngine() : startPostgresEngine(bug);
}

async function startRedisEngine(): Promise<SharedEngine> {
  const server = await startRedis();
  return {
    port: server.port,
    journal: redisJournal(server.ioredis(), { onWarning: () => undefined }),
    kill: () => server.kill('SIGKILL'),
    start: server.start,
    stop: server.stop,
    countWaiting: async () => 0,
    listOutbox: async () => [],
  };
}

/** With the tables of the fleet and of an application. */
async function startPostgresEngine(bug: PlantedBug | undefined): Promise<SharedEngine> {
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
    listOutbox: () => outbox(pool, { organization }).list(),
  };
}
