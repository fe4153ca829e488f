import type { Journal } from '@orgchat/sdk';
import { migrate, postgresJournal } from '../../../packages/fleet/src/postgres.ts';
import { redisJournal } from '../../../packages/fleet/src/redis.ts';
import { startPostgres } from '../../../packages/fleet/test-support/engines/postgres-server.ts';
import { startRedis } from '../../../packages/fleet/test-support/engines/redis-server.ts';
import {
  type FaultyNetwork,
  startFaultyNetwork,
} from '../../../packages/fleet/test-support/faulty-network.ts';
import type { EngineKind, PlantedBug } from './plan.ts';
import { plantWindowByCounter } from './planted-bugs.ts';

/** An engine that workers share, as the soak sees it, and the network that leads to it. */
export interface SharedEngine {
  readonly network: FaultyNetwork;
  readonly journal: Journal;
  /** Ends the engine without a word, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** The engine that has the outboxes, too. */
export interface OutboxEngine extends SharedEngine {
  /** How many changes wait in all outboxes; NaN while the engine cannot say. */
  countWaiting(): Promise<number>;
  /** Everything in the outboxes. */
  listWaiting(): Promise<readonly unknown[]>;
}

export type SharedEngines = Readonly<Record<EngineKind, SharedEngine>> & { readonly postgres: OutboxEngine };

/** Starts the engines, each of its own. */
export async function startEngines(bugs: readonly PlantedBug[]): Promise<SharedEngines> {
  const [postgres, redis] = await Promise.all([startPostgresEngine(bugs), startRedisEngine()]);
  return { postgres, redis };
}

async function startRedisEngine(): Promise<SharedEngine> {
  const server = await startRedis();
  const network = await startFaultyNetwork(server.port);
  return {
    network,
    journal: redisJournal(server.ioredis(), { onWarning: () => undefined }),
    async crash() {
      await server.kill('SIGKILL');
      await server.start();
    },
    async stop() {
      await network.close();
      await server.stop();
    },
  };
}

/** With the tables of the fleet and of an application. */
async function startPostgresEngine(bugs: readonly PlantedBug[]): Promise<OutboxEngine> {
  const server = await startPostgres();
  const network = await startFaultyNetwork(server.port);
  const pool = server.pool({ max: 3 });
  await migrate(pool);
  await pool.query('CREATE TABLE orders (number integer PRIMARY KEY)');
  if (bugs.includes('window-by-counter')) await plantWindowByCounter(pool);
  const listWaiting = async () => (await pool.query('SELECT * FROM orgchat.outbox')).rows;
  return {
    network,
    journal: postgresJournal(pool),
    async crash() {
      await server.kill('SIGKILL');
      await server.start();
    },
    async stop() {
      await network.close();
      await server.stop();
    },
    async countWaiting() {
      try {
        const { rows } = await pool.query('SELECT count(*)::int AS waiting FROM orgchat.outbox');
        return Number(rows[0]?.waiting);
      } catch {
        return Number.NaN;
      }
    },
    listWaiting,
  };
}
