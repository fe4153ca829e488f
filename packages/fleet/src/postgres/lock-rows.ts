import type { LockRows } from '../internal.ts';
import type { Holder } from './holder.ts';
import { isHolderDead, leaseEnd } from './locks.ts';
import type { StatementRunner } from './statement-runner.ts';

/** Creates the rows of locks. One that ended stays, so that its last holder cannot renew it after another one. */
export function createLockRows(runner: StatementRunner, holder: Holder): LockRows {
  const table = `${runner.schema}.locks`;
  const give = `
    INSERT INTO ${table} AS l (name, token, lease_ends_at, holder, owner)
    VALUES ($1, $2, ${leaseEnd('$3')}, $4::integer, $5)
    ON CONFLICT (name) DO UPDATE SET token = excluded.token, lease_ends_at = excluded.lease_ends_at,
      holder = excluded.holder, owner = excluded.owner
      WHERE CASE WHEN l.token = excluded.token THEN true WHEN $6 THEN false
        WHEN l.lease_ends_at <= clock_timestamp() THEN true ELSE ${isHolderDead('l', '$4', holder.isEmbedded)} END
    RETURNING 1`;
  return {
    async give(name, { token, owner, ms, isRenewal }, onDoubt) {
      const values = async (restMs: number) => {
        const number = (await holder.current(restMs, ms > 0 ? { token, ms } : undefined)) ?? null;
        return [name, token, ms, number, owner, isRenewal];
      };
      if (ms === 0) holder.end(token);
      return (await runner.run(give, values, onDoubt)).length > 0;
    },
    async find(name) {
      const [row] = await runner.run(`SELECT owner, text FROM ${table} WHERE name = $1`, [name]);
      return row as Awaited<ReturnType<LockRows['find']>>;
    },
    write: (name, text) => runner.run(`UPDATE ${table} SET text = $2 WHERE name = $1`, [name, text]),
  };
}
