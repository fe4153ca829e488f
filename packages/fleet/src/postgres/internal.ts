import type { Cleanup } from '../cleanup.ts';
import { type StoreInternals, takeLock } from '../internal.ts';
import type { Holder } from './holder.ts';
import { isHolderDead, leaseEnd } from './locks.ts';
import type { StatementRunner } from './statement-runner.ts';

/**
 * Creates the internal methods of a journal. A lock that ended stays in the table, so that its last holder cannot renew it
 * after another one.
 */
export function createInternals(runner: StatementRunner, holder: Holder, cleanup: Cleanup): StoreInternals {
  const table = `${runner.schema}.locks`;
  const give = `
    INSERT INTO ${table} AS l (name, token, lease_ends_at, holder, owner)
    VALUES ($1, $2, ${leaseEnd('$3')}, $4::integer, $5)
    ON CONFLICT (name) DO UPDATE SET token = excluded.token, lease_ends_at = excluded.lease_ends_at,
      holder = excluded.holder, owner = excluded.owner
      WHERE CASE WHEN l.token = excluded.token THEN true WHEN $6 THEN false
        WHEN l.lease_ends_at <= clock_timestamp() THEN true ELSE ${isHolderDead('l', '$4', holder.isEmbedded)} END
    RETURNING 1`;
  const find = async (name: string) =>
    (await runner.run(`SELECT owner, text FROM ${table} WHERE name = $1`, [name]))[0];
  return {
    flush: cleanup.flush,
    async lock(name, owner, ms) {
      const lock = await takeLock(
        async (token, leaseMs, isRenewal, onDoubt) => {
          const values = async (restMs: number) => [
            ...[name, token, leaseMs, (await holder.current(restMs)) ?? null, owner, isRenewal],
          ];
          return (await runner.run(give, values, onDoubt)).length > 0;
        },
        ms,
        cleanup,
      );
      return lock ?? String((await find(name))?.owner);
    },
    text: {
      read: async (name) => ((await find(name))?.text as string | null | undefined) ?? undefined,
      write: async (name, text) =>
        void (await runner.run(`UPDATE ${table} SET text = $2 WHERE name = $1`, [name, text])),
    },
  };
}
