import type { StoreName } from '../events/fleet-events.ts';
import { getStoreHealth } from '../events/store-health.ts';
import { FleetError } from '../fleet-error.ts';
import { type RepeatOptions, repeatCall } from '../repeated-call.ts';
import { requireOwnDirectory } from './engine/embedded-directory.ts';
import { isAmbiguous, isTransient, toFleetError } from './engine-error.ts';
import { isEmbedded, isPgPool, nameConnections, type Queryable } from './pool.ts';
import { currentVersion, schemaName } from './schema.ts';
import { createSend } from './send-statement.ts';

/** The oldest supported version of Postgres. Every supported release has what the statements use. */
const oldestVersion = 120_000;

/** The values of a statement, or what makes them, within a time limit, each time that it is sent. */
export type Values = readonly unknown[] | ((timeoutMs: number) => Promise<readonly unknown[]>);

/** Runs statements that may be repeated. */
export interface StatementRunner {
  /** The quoted name of the schema. */
  readonly schema: string;
  /**
   * Runs a statement, and repeats it while the engine cannot be reached, at most for the time limit. `onDoubt` is called
   * if the statement may have been executed although this rejects, and again if it ends after that.
   */
  run(text: string, values: Values, onDoubt?: () => void): Promise<Record<string, unknown>[]>;
}

/** For which store statements are run, and how. */
export interface StatementRunnerOptions {
  /** What fails, at the start of an error message. */
  readonly what: string;
  readonly store: StoreName;
  readonly schema: string | undefined;
  readonly timeoutMs: number;
}

/** Creates the runner of the statements of one store. The first statement checks the engine and its tables. */
export function createStatementRunner(
  pool: Queryable,
  { what, store, schema, timeoutMs }: StatementRunnerOptions,
): StatementRunner {
  if (typeof pool?.query !== 'function') {
    throw new FleetError(`${what} requires a pg Pool or a PGlite database.`, { code: 'INVALID_OPTIONS' });
  }
  const name = schemaName(schema);
  const health = getStoreHealth(pool, store);
  nameConnections(pool);
  const sendStatement = createSend(pool);
  let checked: Promise<void> | undefined;

  const limits: RepeatOptions = {
    timeoutMs,
    isTransient,
    isAmbiguous,
    toError: (cause) => toFleetError(what, cause),
    createTimeoutError: () =>
      new FleetError(
        `${what} failed: Postgres did not answer within ${timeoutMs} ms. Check that it is running, and that the pool has a free connection.`,
        { code: 'STORE_UNAVAILABLE' },
      ),
  };

  async function repeat(
    text: string,
    values: Values,
    onDoubt?: () => void,
  ): Promise<Record<string, unknown>[]> {
    const send = async (restMs: number) => {
      const given = typeof values === 'function' ? await values(restMs) : values;
      return sendStatement(text, given, restMs);
    };
    const { rows } = await repeatCall(send, limits, onDoubt);
    return rows;
  }

  async function check(): Promise<void> {
    const rows = await repeat(
      `SELECT current_setting('server_version_num')::int AS engine, (SELECT max(version) FROM ${name}.migrations) AS tables`,
      [],
    );
    const { engine, tables } = rows[0] ?? {};
    if (Number(engine) < oldestVersion) {
      const version = Math.floor(Number(engine) / 10_000);
      throw new FleetError(`${what} requires Postgres 12 or later; this one has version ${version}.`, {
        code: 'STORE_VERSION',
      });
    }
    if (Number(tables) !== currentVersion) {
      const advice =
        Number(tables) > currentVersion
          ? 'Update @orgchat/fleet.'
          : 'Call migrate(pool) of this version first.';
      throw new FleetError(
        `${what} requires version ${currentVersion} of the tables in schema ${name}; they have version ${Number(tables)}. ${advice}`,
        { code: Number(tables) > currentVersion ? 'STORE_VERSION' : 'STORE_NOT_MIGRATED' },
      );
    }
  }

  return {
    schema: name,
    async run(text, values, onDoubt) {
      if (isEmbedded(pool)) await requireOwnDirectory(pool);
      checked ??= check();
      try {
        try {
          await checked;
        } catch (error) {
          checked = undefined;
          throw error;
        }
        const rows = await repeat(text, values, onDoubt);
        health.succeeded(text);
        return rows;
      } catch (error) {
        // What fails because the program ends its pool is no outage.
        if (!isPgPool(pool) || !pool.ending) health.failed(text, error);
        throw error;
      }
    },
  };
}
