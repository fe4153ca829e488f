import type { Journal, SharedPacing } from '@orgchat/sdk';
import { createPostgresPacing } from '../../../packages/fleet/src/postgres/pacing.ts';
import {
  type Outbox,
  outbox,
  postgresJournal,
  postgresPacing,
  type Queryable,
} from '../../../packages/fleet/src/postgres.ts';
import { createRedisPacing } from '../../../packages/fleet/src/redis/pacing.ts';
import { redisJournal, redisPacing } from '../../../packages/fleet/src/redis.ts';
import { organization } from '../../../packages/fleet/test-support/organization.ts';
import { createWorkerPool } from '../../../packages/fleet/test-support/worker-pool.ts';
import { createWorkerRedis } from '../../../packages/fleet/test-support/worker-redis.ts';
import type { PlantedBug, WorkerTask } from './messages.ts';

/** A box of changes that are committed with the data of an application, and how to run its transactions. */
export interface WorkerOutbox {
  readonly box: Outbox;
  /** Runs work in a transaction that is committed, or rolled back. */
  inTransaction(end: 'COMMIT' | 'ROLLBACK', work: (tx: Queryable) => Promise<void>): Promise<void>;
}

/** What a worker shares with the others. */
export interface WorkerStores {
  readonly journal: Journal;
  readonly pacing: SharedPacing;
  readonly outbox?: WorkerOutbox;
}

export function openStores({ engine, port, windowMs, bug }: WorkerTask): WorkerStores {
  return engine === 'redis' ? openRedis(port, windowMs) : openPostgres(port, windowMs, bug);
}

function openRedis(port: number, windowMs: number | undefined): WorkerStores {
  const redis = createWorkerRedis(port);
  return {
    journal: redisJournal(redis, { onWarning: () => undefined }),
    pacing: windowMs ? createRedisPacing(redis, {}, windowMs) : redisPacing(redis),
  };
}

function openPostgres(port: number, windowMs: number | undefined, bug: PlantedBug | undefined): WorkerStores {
  const options = { max: 8, connectionTimeoutMillis: 4_000 };
  const pool = createWorkerPool(port, options);

  /** The pool of the journal, with a planted bug in its statements. */
  function createJournalPool(): Queryable {
    if (bug !== 'add-not-idempotent') return pool;
    const planted = createWorkerPool(port, options);
    const query: Queryable['query'] = planted.query.bind(planted);
    const repeatable = /DO UPDATE\s+SET holder[\s\S]*IS NOT NULL/;
    return Object.assign(planted, {
      query: (text: string, values?: unknown[]) => query(text.replace(repeatable, 'DO NOTHING'), values),
    });
  }

  async function inTransaction(end: 'COMMIT' | 'ROLLBACK', work: (tx: Queryable) => Promise<void>) {
    const tx = await pool.connect();
    let isBroken = true;
    try {
      await tx.query('BEGIN');
      await work(tx);
      await tx.query(end);
      isBroken = false;
    } finally {
      tx.release(isBroken);
    }
  }

  return {
    journal: postgresJournal(createJournalPool()),
    pacing: windowMs ? createPostgresPacing(pool, {}, windowMs) : postgresPacing(pool),
    outbox: { box: outbox(pool, { organization }), inTransaction },
  };
}
