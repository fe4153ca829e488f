import { migrate, postgresJournal, postgresPacing } from '@orgchat/fleet/postgres';
import { redisJournal, redisPacing } from '@orgchat/fleet/redis';
import type { Journal, SharedPacing } from '@orgchat/sdk';
import type { QueryConfig } from 'pg';
import { startPostgres } from '../../packages/fleet/test-support/engines/postgres-server.ts';
import { startRedis } from '../../packages/fleet/test-support/engines/redis-server.ts';

/** A command as a store has sent it: sending it again with another text in place of one that it contains. */
export type Recorded = (from: string, to: string) => Promise<unknown>;

/** An engine of the fleet, and what is done in it without the fleet. */
export interface FleetEngine {
  readonly name: string;
  readonly journal: Journal;
  readonly pacing: SharedPacing;
  /** How many commands the stores have sent. */
  countCommands(): number;
  /** The commands that the stores send while this work is done. */
  record(work: () => Promise<unknown>): Promise<Recorded[]>;
  /** One round trip that writes a few bytes durably. */
  write(): Promise<unknown>;
  /** Bytes that the journal has in the engine. */
  countBytes(): Promise<number>;
  stop(): Promise<void>;
}

const settings = { onWarning: () => undefined };
const replaced = (value: unknown, from: string, to: string): unknown =>
  typeof value === 'string' ? value.replaceAll(from, to) : value;

/** Postgres and its cleaning, which is measured there: Redis cleans with each settlement. */
export interface PostgresEngine extends FleetEngine {
  /** Fills the journal with this many old entries. */
  addOld(count: number): Promise<void>;
  /** Removes them as the journal does, when it settles something. */
  clean(): Promise<void>;
  /** Removes them by one statement. */
  cleanBare(): Promise<void>;
}

export async function openPostgres(): Promise<PostgresEngine> {
  const server = await startPostgres();
  const pool = server.pool({ max: 32 });
  await migrate(pool);
  await pool.query('CREATE TABLE bare (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text)');
  let commands = 0;
  let recording: (readonly [text: string, values: unknown[]])[] | undefined;
  const query = (statement: QueryConfig) => {
    commands++;
    recording?.push([statement.text, statement.values ?? []]);
    return pool.query(statement);
  };
  // It still makes its session lock from the options of the pool.
  const counted = Object.create(pool, { query: { value: query } }) as typeof pool;
  const old = "target = 'old' AND settled_at < now() - interval '7 days'";
  const journal = postgresJournal(counted, settings);
  return {
    name: 'Postgres',
    journal,
    pacing: postgresPacing(counted),
    countCommands: () => commands,
    async record(work) {
      const sent: NonNullable<typeof recording> = [];
      recording = sent;
      await work();
      recording = undefined;
      return sent.map(
        ([text, values]) =>
          (from, to) =>
            pool.query(
              text,
              values.map((value) => replaced(value, from, to)),
            ),
      );
    },
    write: () => pool.query('INSERT INTO bare (text) VALUES ($1)', ['x']),
    async countBytes() {
      // Without the space of removed and updated rows, which new ones would use.
      await pool.query('VACUUM FULL orgchat.journal');
      const { rows } = await pool.query("SELECT pg_total_relation_size('orgchat.journal')::float8 AS bytes");
      return rows[0].bytes;
    },
    async addOld(count) {
      await pool.query(
        `INSERT INTO orgchat.journal (target, operation_id, created_at, is_open, entry, deadline, settled_at)
         SELECT 'old', 'old-' || n, '2026-01-01', false, repeat('x', 600), '2026-01-01', now() - interval '8 days'
         FROM generate_series(1, $1::int) n`,
        [count],
      );
    },
    async clean() {
      // A journal cleans when it first settles something, and then every hour.
      const fresh = postgresJournal(pool, settings);
      await fresh.settle(makeEntry('nothing'));
      const isLeft = async () =>
        (await pool.query(`SELECT 1 FROM orgchat.journal WHERE ${old} LIMIT 1`)).rows[0];
      while (await isLeft());
    },
    async cleanBare() {
      await pool.query(`DELETE FROM orgchat.journal WHERE ${old}`);
    },
    stop: server.stop,
  };
}

export async function openRedis(): Promise<FleetEngine> {
  const server = await startRedis();
  const redis = server.ioredis();
  let commands = 0;
  let recording: string[][] | undefined;
  const counted = {
    get status() {
      return redis.status;
    },
    call(command: string, ...args: string[]) {
      commands++;
      recording?.push([command, ...args]);
      return redis.call(command, ...args);
    },
    on: (event: 'error', listener: (error: Error) => void) => redis.on(event, listener),
  };
  return {
    name: 'Redis',
    journal: redisJournal(counted, settings),
    pacing: redisPacing(counted),
    countCommands: () => commands,
    async record(work) {
      const sent: string[][] = [];
      recording = sent;
      await work();
      recording = undefined;
      return sent.map(([command = '', ...args]) => (from, to) => {
        return redis.call(command, ...args.map((arg) => replaced(arg, from, to) as string));
      });
    },
    write: () => redis.call('SET', 'bare', 'x'),
    async countBytes() {
      const text = String(await redis.call('INFO', 'memory'));
      return Number(/used_memory:(\d+)/.exec(text)?.[1]);
    },
    stop: server.stop,
  };
}

/** An entry of a usual change. */
export function makeEntry(operationId: string) {
  const now = new Date().toISOString();
  const data = { name: 'Spring campaign', color: 'pink' };
  return {
    ...({ format: 2, kind: 'change', path: '/chat/changes', state: 'pending', attempts: 0 } as const),
    ...{ operationId, target: 'bench', token: `token-${operationId}`, createdAt: now, updatedAt: now },
    body: JSON.stringify({ operationId, change: { action: 'create-tags', data } }),
    deadline: new Date(Date.now() + 60_000).toISOString(),
  };
}
