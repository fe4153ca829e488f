import type { PlaceAnswer } from '@orgchat/sdk';
import { requireKnown } from '../options.ts';
import {
  boundRequest,
  minuteMs,
  readStatsLimit,
  type StoredPacing,
  storeTimeoutMs,
} from '../pacing-rules.ts';
import type { SchemaOptions } from './migrate.ts';
import { pacingStatements } from './pacing-statements.ts';
import type { Queryable } from './pool.ts';
import { createStatementRunner } from './statement-runner.ts';

/**
 * Options of `postgresPacing`.
 *
 * @example
 * const options: PostgresPacingOptions = { schema: 'orgchat_staging' };
 * createClient({ pacing: { shared: postgresPacing(pool, options) } });
 */
export interface PostgresPacingOptions extends SchemaOptions {}

/**
 * Paces the requests of any number of processes together, in Postgres: first come, first served, and never more than
 * `perMinute` in any minute. Call `migrate(pool)` first.
 *
 * Each decision is one round trip. A request counts from the moment it may be sent until a minute after its answer.
 *
 * @example
 * const client = createClient({ pacing: { perMinute: 60, shared: postgresPacing(pool) } });
 * await client.account();
 */
export function postgresPacing(pool: Queryable, options: PostgresPacingOptions = {}): StoredPacing {
  return createPostgresPacing(pool, options, minuteMs);
}

/** The same with a window of another length, in milliseconds, for tests. */
export function createPostgresPacing(
  pool: Queryable,
  options: PostgresPacingOptions,
  windowMs: number,
): StoredPacing {
  requireKnown(options, ['schema'], 'postgresPacing()');
  const runner = createStatementRunner(pool, {
    what: 'The Postgres pacing',
    store: 'postgresPacing',
    schema: options.schema,
    timeoutMs: storeTimeoutMs,
  });
  const sql = pacingStatements(runner.schema);
  let lastLimit: number | undefined;
  const inLine = new Set<string>();
  return {
    async reserve(request) {
      const { perWindow, maxWaitMs, holdMs } = boundRequest(request);
      lastLimit = perWindow;
      const values = [request.line, request.place, perWindow, maxWaitMs ?? null, holdMs, windowMs];
      // A request that is in line keeps its place, whatever happens to the tables.
      const ask = inLine.has(request.place) ? runner.run : runner.begin;
      const [row = {}] = await ask(sql.reserve, values);
      const { state, wait_ms: waitMs, ask_again_ms: askAgainMs } = row;
      if (state === 'waiting') inLine.add(request.place);
      else inLine.delete(request.place);
      return { state: state as PlaceAnswer['state'], waitMs: Number(waitMs), askAgainMs: Number(askAgainMs) };
    },
    async release({ line, place, isUnused, retryAfterMs = null }) {
      inLine.delete(place);
      await runner.run(sql.release, [line, place, isUnused, windowMs, retryAfterMs]);
    },
    async stats(given = {}) {
      const limit = readStatsLimit(given, lastLimit);
      const [row = {}] = await runner.run(sql.stats, [limit ?? 1, windowMs]);
      return {
        lines: Number(row.lines),
        waiting: Number(row.waiting),
        inUse: Number(row.in_use),
        waitMs: limit === undefined ? undefined : Math.ceil(Number(row.wait_ms)),
      };
    },
  };
}
