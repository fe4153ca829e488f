import { FleetError } from '../fleet-error.ts';
import { toFleetError } from './engine-error.ts';
import { lockClass, migrationLock } from './locks.ts';
import type { Queryable } from './pool.ts';
import { cleanUp, currentVersion, schemaName, tableStatements } from './schema.ts';

/** The SQLSTATE of our own error. */
const laterVersion = 'OC001';

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
 * Creates the tables of this package, in one transaction and under a lock: several programs may call it at once, and it
 * may be called again. It needs permission to create a schema, or to create tables in an existing one.
 *
 * Rejects with `STORE_VERSION` if a later version of this package created the tables.
 *
 * @example
 * await migrate(pool);
 */
export async function migrate(pool: Queryable, { schema }: SchemaOptions = {}): Promise<void> {
  const name = schemaName(schema);
  const what = 'migrate()';
  if (typeof pool?.query !== 'function') {
    throw new FleetError(`${what} requires a pg Pool or a PGlite database.`, { code: 'INVALID_OPTIONS' });
  }
  try {
    // A block is one statement, so it works on any pool and needs no connection of its own.
    await pool.query(`DO $migrate$
      BEGIN
        PERFORM pg_advisory_xact_lock(${lockClass}, ${migrationLock});
        IF to_regclass('${name}.migrations') IS NOT NULL THEN
          IF (SELECT max(version) FROM ${name}.migrations) > ${currentVersion} THEN
            RAISE EXCEPTION 'tables of a later version' USING ERRCODE = '${laterVersion}';
          END IF;
        END IF;
        ${tableStatements(name).join(';\n')};
        ${cleanUp(name)};
        INSERT INTO ${name}.migrations (version) VALUES (${currentVersion}) ON CONFLICT DO NOTHING;
      END
    $migrate$`);
  } catch (cause) {
    if ((Object(cause) as { readonly code?: string }).code === laterVersion) {
      throw new FleetError(
        `${what} found tables of a later version in schema ${name}. Update @orgchat/fleet, or use another schema.`,
        { code: 'STORE_VERSION', cause },
      );
    }
    throw toFleetError(what, cause);
  }
}
