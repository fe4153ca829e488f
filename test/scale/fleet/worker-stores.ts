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
import { createWorkerPool } from '../../../packages/fleet/test-support/programs/worker-pool.ts';
import { createWorkerRedis } from '../../../packages/fleet/test-support/programs/worker-redis.ts';
import type { EngineKind, PlantedBug, WorkerTask } from './plan.ts';

/** What a worker shares with the others. */
export interface WorkerStores {
  /** By engine: a journal and a pacing for any number of organizations. */
  readonly byEngine: Readonly<
    Record<EngineKind, { readonly journal: Journal; readonly pacing: SharedPacing }>
  >;
  /** Opens the box of an organization, with changes that are committed with the data of an application. */
  openOutbox(organization: string): Outbox;
  /** Runs work in a transaction of the application that is committed, or rolled back. */
  inTransaction(end: 'COMMIT' | 'ROLLBACK', work: (tx: Queryable) => Promise<void>): Promise<void>;
}

export function openStores({ ports, windowMs, bugs }: WorkerTask): WorkerStores {
  const redis = createWorkerRedis(ports.redis);
  const pool = createWorkerPool(ports.postgres, { max: 8, connectionTimeoutMillis: 4_000 });
  // An application has to give up what a network has swallowed, as the stores do.
  const application = createWorkerPool(ports.postgres, {
    ...{ max: 4, connectionTimeoutMillis: 4_000, query_timeout: 4_000 },
  });
  return {
    byEngine: {
      postgres: {
        journal: postgresJournal(createJournalPool(ports.postgres, bugs) ?? pool),
        pacing: windowMs ? createPostgresPacing(pool, {}, windowMs) : postgresPacing(pool),
      },
      redis: {
        journal: redisJournal(redis, { onWarning: () => undefined }),
        pacing: windowMs ? createRedisPacing(redis, {}, windowMs) : redisPacing(redis),
      },
    },
    openOutbox: (organization) => outbox(pool, { organization, onRefused: () => undefined }),
    async inTransaction(end, work) {
      const tx = await application.connect();
      let isBroken = true;
      try {
        await tx.query('BEGIN');
        await work(tx);
        await tx.query(end);
        isBroken = false;
      } finally {
        tx.release(isBroken);
      }
    },
  };
}

/**
 * Creates a pool whose journal does not know its own addition again; undefined if it is not to have that bug. The reply to the
 * first addition is lost, so that it is repeated.
 */
function createJournalPool(port: number, bugs: readonly PlantedBug[]): Queryable | undefined {
  if (!bugs.includes('add-not-idempotent')) return undefined;
  const planted = createWorkerPool(port, { max: 8, connectionTimeoutMillis: 4_000 });
  type Query = (statement: string | { readonly text: string }, values?: unknown[]) => Promise<unknown>;
  const query = planted.query.bind(planted) as Query;
  let isLost = false;
  const plantedQuery: Query = async (statement, values) => {
    const { text } = typeof statement === 'string' ? { text: statement } : statement;
    const changed = text.replace('j.token = excluded.token AND j.lease_ends_at IS NOT NULL', 'false');
    const answer = await query(
      typeof statement === 'string' ? changed : { ...statement, text: changed },
      values,
    );
    if (isLost || changed === text) return answer;
    isLost = true;
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  };
  return Object.assign(planted, { query: plantedQuery as Queryable['query'] });
}
