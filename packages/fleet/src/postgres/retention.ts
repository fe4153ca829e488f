import { emitFleetEvent } from '../events/fleet-events.ts';
import { isLimited, lockLimit } from './locks.ts';
import { type StatementRunner, toLockTimeout } from './statement-runner.ts';

/** Removes settled entries some days after they were last used. */
export interface Retention {
  /** Keeps a settled entry for longer, because it was used. */
  touch(target: string, operationId: string): void;
  /** Removes old entries in the background, at most once per hour per process. */
  afterSettlement(): void;
}

const pauseMs = 3_600_000;
/** Rows per statement, so that none holds locks for long. */
const batch = 1_000;

export function createRetention(runner: StatementRunner, keepDays: number): Retention {
  const table = `${runner.schema}.journal`;
  let lastAt = Number.NEGATIVE_INFINITY;

  async function removeOld(): Promise<void> {
    let isEmpty = true;
    for (let removed = batch; removed === batch; ) {
      const rows = await runner.run(
        // Materialized, so that it is run once: a plain subquery may be run for each row of the table, each time with a LIMIT.
        `WITH picked AS MATERIALIZED (
          SELECT ctid FROM ${table}
          WHERE NOT is_open AND lease_ends_at IS NULL AND settled_at < clock_timestamp() - $1::float8 * interval '1 day'
          ORDER BY settled_at LIMIT ${batch} FOR UPDATE SKIP LOCKED
        ) DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM picked) RETURNING 1`,
        [keepDays],
      );
      removed = rows.length;
      if (removed > 0) isEmpty = false;
    }
    if (!isEmpty) emitFleetEvent('cleaned', 'postgresJournal');
  }

  return {
    touch(target, operationId) {
      const text = `
        UPDATE ${table} SET settled_at = clock_timestamp() FROM ${lockLimit('$3')}
        WHERE ${isLimited} AND target = $1 AND operation_id = $2 AND NOT is_open`;
      const values = async (restMs: number) => [target, operationId, toLockTimeout(restMs)];
      runner.run(text, values).catch(() => undefined);
    },
    afterSettlement() {
      const now = performance.now();
      if (now - lastAt < pauseMs) return;
      lastAt = now;
      // What fails is removed an hour later.
      removeOld().catch(() => undefined);
    },
  };
}
