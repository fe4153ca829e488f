import { FleetError } from '../fleet-error.ts';
import { readTableVersion, requireOldEnough, type TableVersion } from './engine/table-version.ts';
import { lockTimeout, toFleetError } from './engine-error.ts';
import { lockClass, migrationLock } from './locks.ts';
import type { Queryable } from './pool.ts';
import { currentRelease, schemaName, type TableRelease } from './schema.ts';

/** How long the statements that make tables wait for a lock, in milliseconds. Everybody else waits behind them. */
const lockTimeoutMs = 2_000;

/** The SQLSTATEs of a table and of a schema that do not exist. */
const [noTable, noSchema] = ['42P01', '3F000'] as const;

/**
 * The SQLSTATEs of an update that another program was faster with. If the role has a stricter default isolation than READ
 * COMMITTED, an update that has waited for the other one does not see what that has made.
 */
const overtaken: readonly (string | undefined)[] = ['40001', '23505'];
/** How often an update is tried. Behind another program, the next try has nothing left to do. */
const mostTries = 5;

/**
 * Options of `migrate`, and of every store.
 *
 * @example
 * const options: SchemaOptions = { schema: 'orgchat_staging' };
 * await migrate(pool, options);
 */
export interface SchemaOptions {
  /** The schema of the tables. Default `orgchat`. */
  readonly schema?: string | undefined;
}

/**
 * Creates the tables of this package, if they are missing or older. Otherwise it reads their version and nothing else, so
 * every program may call it at every start.
 *
 * It is one transaction under a lock. If it does not get a lock within 2 s, it changes nothing and rejects with
 * `STORE_UNAVAILABLE`. It rejects with `STORE_VERSION` if a later version of this package has made the tables and this
 * one may not use them.
 *
 * @example
 * await migrate(pool);
 */
export async function migrate(pool: Queryable, { schema }: SchemaOptions = {}): Promise<void> {
  const name = schemaName(schema);
  if (typeof pool?.query !== 'function') {
    throw new FleetError('migrate() requires a pg Pool or a PGlite database.', { code: 'INVALID_OPTIONS' });
  }
  await migrateTo(pool, name, currentRelease);
}

/** The same for any version of the tables. `schema` is a quoted name. */
export async function migrateTo(pool: Queryable, schema: string, release: TableRelease): Promise<void> {
  const what = 'migrate()';
  try {
    for (let tries = 1; ; tries++) {
      const found = await findVersion(pool, schema);
      if (found && found.version >= release.version)
        return requireOldEnough(what, schema, found, release.version);
      // A block is one statement, so it works on any pool and needs no connection of its own.
      try {
        await pool.query(toBlock(schema, release));
      } catch (cause) {
        if (tries < mostTries && overtaken.includes(findState(cause))) continue;
        throw cause;
      }
      // Another program may have been faster, with a later version.
      return requireOldEnough(what, schema, await readVersion(pool, schema), release.version);
    }
  } catch (cause) {
    if (findState(cause) !== lockTimeout) throw toFleetError(what, cause);
    throw new FleetError(
      `${what} failed: another transaction held a lock that it needs for ${lockTimeoutMs} ms. Nothing was changed. Call it again when that transaction has ended; pg_stat_activity shows it.`,
      { code: 'STORE_UNAVAILABLE', systemCode: lockTimeout, cause },
    );
  }
}

const readVersion = (pool: Queryable, schema: string): Promise<TableVersion> =>
  readTableVersion(schema, async (text) => (await pool.query(text)).rows);

/** Returns the version of the tables; undefined if there are none. */
async function findVersion(pool: Queryable, schema: string): Promise<TableVersion | undefined> {
  try {
    return await readVersion(pool, schema);
  } catch (cause) {
    const state = findState(cause);
    if (state === noTable || state === noSchema) return undefined;
    throw cause;
  }
}

const findState = (cause: unknown): string | undefined => (Object(cause) as { readonly code?: string }).code;

/** Returns the statement that makes the tables, unless another program has made them in the meantime. */
function toBlock(schema: string, { version, oldestProgram, statements }: TableRelease): string {
  return `DO $migrate$
    BEGIN
      PERFORM set_config('lock_timeout', '${lockTimeoutMs}', true);
      PERFORM pg_advisory_xact_lock(${lockClass}, ${migrationLock});
      -- IF NOT EXISTS would require permission to create a schema also if it exists.
      IF to_regnamespace('${schema}') IS NULL THEN CREATE SCHEMA ${schema}; END IF;
      IF to_regclass('${schema}.migrations') IS NOT NULL THEN
        IF EXISTS (SELECT FROM ${schema}.migrations m WHERE m.version >= ${version}) THEN RETURN; END IF;
      END IF;
      ${statements(schema).join(';\n')};
      INSERT INTO ${schema}.migrations (version, oldest_program) VALUES (${version}, ${oldestProgram});
    END
  $migrate$`;
}
