import type { Journal } from '@orgchat/sdk';
import { migrate, postgresJournal } from '../../src/postgres.ts';
import { redisJournal } from '../../src/redis.ts';
import { startPostgres } from './postgres-server.ts';
import { startRedis } from './redis-server.ts';

/** An engine of its own, ready for journals. */
export interface Engine {
  readonly port: number;
  /** Opens a journal on connections of its own, as a process does. */
  open(options?: OpenOptions): OpenedJournal;
  /** Ends the engine: all its processes die at once. */
  kill(signal: 'SIGKILL'): Promise<void>;
  /** Starts it again, on the same port and data. */
  start(): Promise<void>;
  /** Ends connections and engine, and removes the data. */
  stop(): Promise<void>;
}

export interface OpenOptions {
  /** That of a proxy, for example. Default: that of the engine. */
  readonly port?: number;
  readonly timeoutMs?: number;
  readonly keepSettledDays?: number;
}

export interface OpenedJournal {
  readonly journal: Journal;
  /** Ends the connections, as the end of its process does. */
  end(): void;
}

/** How the engines are started that have a journal. */
export const engines = {
  async Postgres(): Promise<Engine> {
    const server = await startPostgres();
    await migrate(server.pool({ max: 1 }));
    return {
      ...server,
      open({ port = server.port, ...options } = {}) {
        const pool = server.pool({ port, max: 4 });
        return { journal: postgresJournal(pool, options), end: () => void pool.end() };
      },
    };
  },

  async Redis(): Promise<Engine> {
    const server = await startRedis();
    return {
      ...server,
      open({ port = server.port, ...options } = {}) {
        const client = server.ioredis({ port });
        return { journal: redisJournal(client, options), end: () => client.disconnect() };
      },
    };
  },
};

export type EngineName = keyof typeof engines;
export const engineNames = Object.keys(engines) as EngineName[];
