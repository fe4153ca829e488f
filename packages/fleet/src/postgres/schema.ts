import { FleetError } from '../fleet-error.ts';
import { outboxTables } from './outbox/statements.ts';
import { pacingTables } from './pacing-statements.ts';

/** A version of the tables, and who may use it. */
export interface TableRelease {
  readonly version: number;
  /**
   * The oldest program that may use these tables, as the version of the tables it was written for. As long as programs of
   * the version before may, they run beside the new ones, and the new ones can be rolled back.
   */
  readonly oldestProgram: number;
  /** Returns what makes these tables, from nothing or from those of the version before. */
  statements(schema: string): readonly string[];
}

/** The tables that this version of the package writes and reads. */
export const currentRelease: TableRelease = { version: 1, oldestProgram: 1, statements: tableStatements };

/** Returns a name of a schema for use in a statement. Throws `INVALID_OPTIONS` if it would have to be escaped. */
export function schemaName(schema = 'orgchat'): string {
  if (typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return `"${schema}"`;
  throw new FleetError(
    `schema must be 1 to 63 lowercase letters, digits and underscores, and not begin with a digit; got ${JSON.stringify(schema)}.`,
    { code: 'INVALID_OPTIONS' },
  );
}

/**
 * The tables. Names and texts are compared byte by byte (`COLLATE "C"`), as the SDK does. Entries are text: jsonb loses
 * `\u0000` and the order of fields.
 */
function tableStatements(schema: string): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${schema}.migrations (
      version integer PRIMARY KEY,
      oldest_program integer NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`,
    `CREATE TABLE IF NOT EXISTS ${schema}.journal (
      target text COLLATE "C" NOT NULL,
      operation_id text COLLATE "C" NOT NULL,
      created_at text COLLATE "C" NOT NULL,
      is_open boolean NOT NULL,
      entry text NOT NULL,
      token text,
      deadline text NOT NULL,
      holder integer,
      lease_ends_at timestamptz,
      settled_at timestamptz,
      next_attempt_at timestamptz,
      given_up text NOT NULL DEFAULT '',
      PRIMARY KEY (target, operation_id)
    )`,
    `CREATE INDEX IF NOT EXISTS journal_order ON ${schema}.journal (target, created_at, operation_id)`,
    `CREATE INDEX IF NOT EXISTS journal_open ON ${schema}.journal (target, created_at, operation_id) WHERE is_open`,
    `CREATE INDEX IF NOT EXISTS journal_settled ON ${schema}.journal (settled_at) WHERE NOT is_open`,
    `CREATE TABLE IF NOT EXISTS ${schema}.locks (
      name text COLLATE "C" PRIMARY KEY,
      token text NOT NULL,
      lease_ends_at timestamptz NOT NULL,
      holder integer,
      owner text NOT NULL,
      text text
    )`,
    ...pacingTables(schema),
    ...outboxTables(schema),
  ];
}
