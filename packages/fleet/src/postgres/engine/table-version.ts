import { FleetError } from '../../fleet-error.ts';

/** The oldest supported version of Postgres. Every supported release has what the statements use. */
const oldestEngine = 120_000;

/** The newest version of the tables in a schema, and the oldest program that may use them. */
export interface TableVersion {
  /** 0 if no migration has ended. */
  readonly version: number;
  readonly oldestProgram: number;
  /** The version of Postgres, as the setting `server_version_num` has it. */
  readonly engine: number;
}

type Rows = readonly Record<string, unknown>[];

/** Reads the version of the tables. `select` runs a statement without values. */
export async function readTableVersion(
  schema: string,
  select: (text: string) => Promise<Rows>,
): Promise<TableVersion> {
  const [row = {}] = await select(`
    SELECT current_setting('server_version_num')::int AS engine, version, oldest_program
    FROM (SELECT) AS one LEFT JOIN ${schema}.migrations ON true ORDER BY version DESC LIMIT 1`);
  return {
    version: Number(row.version),
    oldestProgram: Number(row.oldest_program),
    engine: Number(row.engine),
  };
}

/** Throws if tables are too new for a program. `what` says what failed. */
export function requireOldEnough(
  what: string,
  schema: string,
  { version, oldestProgram }: TableVersion,
  program: number,
): void {
  if (oldestProgram <= program) return;
  throw new FleetError(
    `${what} cannot use the tables in schema ${schema}: they have version ${version}, which requires a program for version ${oldestProgram} or later. This program is for version ${program}. Update @orgchat/fleet.`,
    { code: 'STORE_VERSION' },
  );
}

/** Throws if a program cannot use an engine or its tables. */
export function requireUsable(what: string, schema: string, found: TableVersion, program: number): void {
  if (found.engine < oldestEngine) {
    const engine = Math.floor(found.engine / 10_000);
    throw new FleetError(`${what} requires Postgres 12 or later; this one has version ${engine}.`, {
      code: 'STORE_VERSION',
    });
  }
  if (found.version < program) {
    throw new FleetError(
      `${what} requires version ${program} of the tables in schema ${schema}; they have version ${found.version}. Call migrate(pool) of this version first.`,
      { code: 'STORE_NOT_MIGRATED' },
    );
  }
  requireOldEnough(what, schema, found, program);
}
