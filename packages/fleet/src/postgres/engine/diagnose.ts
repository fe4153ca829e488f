import type { StoreDiagnosis } from '../../internal.ts';
import { toFleetError } from '../engine-error.ts';
import type { Queryable } from '../pool.ts';

/** What a worker does with each table, as docs/postgres.md lists it. It only reads the version of the tables. */
const needed: Readonly<Record<string, readonly string[]>> = {
  migrations: ['SELECT'],
  ...Object.fromEntries(
    ['journal', 'locks', 'outbox', 'pacing_lines', 'pacing_places'].map((table) => [
      table,
      ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
    ]),
  ),
};

/** What a worker executes. Usually `PUBLIC` may do so. */
const routines = ['reserve_place', 'take_place'];

/** After this the dead rows that a transaction keeps may take much space, in seconds. */
const oldSnapshotS = 600;

/**
 * Checks what only shows under load or in a failure: grants, isolation, durability, a standby, and transactions that
 * keep old rows. It reads catalogs alone, so that it works for a user who may do nothing else.
 */
export async function diagnosePostgres(pool: Queryable, schema: string): Promise<readonly StoreDiagnosis[]> {
  const pairs = Object.entries(needed).flatMap(([table, grants]) => grants.map((grant) => [table, grant]));
  const tables = [pairs.map(([table]) => table), pairs.map(([, grant]) => grant)];
  const values = [schema.replaceAll('"', ''), ...tables, routines];
  const { rows } = await pool
    .query(
      `SELECT current_user AS user_name, pg_is_in_recovery() AS is_standby,
        current_setting('default_transaction_isolation') AS isolation,
        current_setting('default_transaction_read_only') AS read_only,
        current_setting('synchronous_commit') AS synchronous_commit,
        (SELECT has_schema_privilege(n.oid, 'USAGE') FROM pg_namespace n WHERE n.nspname = $1) AS has_schema,
        (SELECT array_agg(p.privilege || ' on ' || c.relname ORDER BY c.relname)
          FROM unnest($2::text[], $3::text[]) AS p(relation, privilege)
          JOIN pg_namespace n ON n.nspname = $1
          JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = p.relation
          WHERE NOT has_table_privilege(c.oid, p.privilege)) AS missing,
        (SELECT array_agg('EXECUTE on routine ' || f.proname ORDER BY f.proname)
          FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace
          WHERE n.nspname = $1 AND f.proname = ANY($4::text[]) AND NOT has_function_privilege(f.oid, 'EXECUTE'))
          AS missing_routines,
        (SELECT extract(epoch FROM max(clock_timestamp() - xact_start))::float8 FROM pg_stat_activity
          WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()) AS snapshot_s`,
      values,
    )
    .catch((cause: unknown) => {
      throw toFleetError('The check of Postgres', cause);
    });
  return toDiagnoses(rows[0] ?? {}, schema);
}

function toDiagnoses(row: Readonly<Record<string, unknown>>, schema: string): StoreDiagnosis[] {
  const diagnoses: StoreDiagnosis[] = [];
  const missing = [row.missing, row.missing_routines].flatMap((found) =>
    Array.isArray(found) ? found.map(String) : [],
  );
  if (row.has_schema === false) missing.unshift(`USAGE on schema ${schema}`);
  diagnoses.push(
    missing.length === 0
      ? { topic: 'grants', detail: `${row.user_name} has all that a worker needs` }
      : {
          topic: 'grants',
          detail: `${row.user_name} lacks ${missing.join(', ')}`,
          advice: `Grant it: ${toGrants(missing, schema, String(row.user_name))}`,
        },
  );
  diagnoses.push({ topic: 'isolation', detail: `default_transaction_isolation is ${row.isolation}` });
  if (row.is_standby === true || row.read_only === 'on')
    diagnoses.push({
      topic: 'writable',
      detail: row.is_standby === true ? 'this is a standby' : 'default_transaction_read_only is on',
      advice: 'Connect to the primary, and set default_transaction_read_only to off.',
    });
  if (row.synchronous_commit === 'off')
    diagnoses.push({
      topic: 'durability',
      detail: 'synchronous_commit is off, so a crash loses what was confirmed last',
      advice: 'Set synchronous_commit to on for this user.',
    });
  const seconds = Number(row.snapshot_s ?? 0);
  diagnoses.push(
    seconds < oldSnapshotS
      ? { topic: 'snapshots', detail: 'no transaction keeps old rows for long' }
      : {
          topic: 'snapshots',
          detail: `a transaction has been open for ${Math.round(seconds / 60)} minutes; dead rows stay until it ends, and the tables grow`,
          advice: 'End it, or run long reports on a replica: see pg_stat_activity.',
        },
  );
  return diagnoses;
}

/** Returns the statements that grant what is missing. */
function toGrants(missing: readonly string[], schema: string, user: string): string {
  const toGrant = (grant: string): string => {
    if (grant.includes(' on schema ')) return grant.replace(' on schema ', ' ON SCHEMA ');
    if (grant.includes(' on routine ')) return grant.replace(' on routine ', ` ON ROUTINE ${schema}.`);
    return grant.replace(' on ', ` ON ${schema}.`);
  };
  return missing.map((grant) => `GRANT ${toGrant(grant)} TO "${user}";`).join(' ');
}
