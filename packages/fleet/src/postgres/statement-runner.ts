import type { StoreName } from '../events/fleet-events.ts';
import { getStoreHealth } from '../events/store-health.ts';
import { FleetError } from '../fleet-error.ts';
import { type RepeatOptions, repeatCall } from '../repeated-call.ts';
import { requireOwnDirectory } from './engine/embedded-directory.ts';
import { createSend } from './engine/send-statement.ts';
import { readTableVersion, requireUsable } from './engine/table-version.ts';
import { isAmbiguous, isLockTimeout, isTransient, lockTimeout, toFleetError } from './engine-error.ts';
import { isEmbedded, isPgPool, nameConnections, type Queryable } from './pool.ts';
import { currentRelease, schemaName } from './schema.ts';

/** How long a program relies on the version of the tables, in milliseconds. Others may migrate them at any time. */
const relyMs = 45_000;

/**
 * The values of a statement, or what makes them, within a time limit, each time that it is sent. One that did not get a lock
 * is repeated only if its values are made each time.
 */
export type Values = readonly unknown[] | ((timeoutMs: number) => Promise<readonly unknown[]>);

/** How long a statement waits for a row before others may have its connection, in milliseconds. */
const longestLockMs = 250;

/**
 * Returns how long a statement may wait for a row, as Postgres takes it. It may wait twice, to be the next one and for the
 * row, and still ends before its caller gives up. Then it is known that nothing was done.
 */
export const toLockTimeout = (restMs: number): string =>
  String(Math.min(Math.max(1, Math.ceil(restMs * 0.4)), longestLockMs));

/** Runs statements that may be repeated. */
export interface StatementRunner {
  /** The quoted name of the schema. */
  readonly schema: string;
  /**
   * Runs a statement, and repeats it while the engine cannot be reached, at most for the time limit. `onDoubt` is called
   * if the statement may have been executed although this rejects, and again if it ends after that.
   */
  run(text: string, values: Values, onDoubt?: () => void): Promise<Record<string, unknown>[]>;
  /**
   * The same for a statement that begins something. If the tables have become too new for this program since it started,
   * it rejects with `STORE_VERSION`; `run` does not, so that what has begun can end.
   */
  begin(text: string, values: Values, onDoubt?: () => void): Promise<Record<string, unknown>[]>;
  /** Rejects with `STORE_VERSION` as `begin` does. It reads on a connection of the caller, if it has to. */
  requireTables(connection: Queryable): Promise<void>;
}

/** For which store statements are run, and how. */
export interface StatementRunnerOptions {
  /** What fails, at the start of an error message. */
  readonly what: string;
  readonly store: StoreName;
  readonly schema: string | undefined;
  readonly timeoutMs: number;
  /** The version of the tables that this program was written for. Default: that of this package. */
  readonly program?: number | undefined;
}

/** Creates the runner of the statements of one store. The first statement checks the engine and its tables. */
export function createStatementRunner(
  pool: Queryable,
  { what, store, schema, timeoutMs, program = currentRelease.version }: StatementRunnerOptions,
): StatementRunner {
  if (typeof pool?.query !== 'function') {
    throw new FleetError(`${what} requires a pg Pool or a PGlite database.`, { code: 'INVALID_OPTIONS' });
  }
  const name = schemaName(schema);
  const health = getStoreHealth(pool, store);
  nameConnections(pool);
  const sendStatement = createSend(pool);
  let checking: Promise<void> | undefined;
  /** When the version of the tables was last read, in milliseconds of `performance.now()`. */
  let readAt = Number.NEGATIVE_INFINITY;

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
    const isAgain = typeof values === 'function';
    const may: RepeatOptions = {
      ...limits,
      isTransient: (cause) => isTransient(cause) || (isAgain && isLockTimeout(cause)),
    };
    const { rows } = await repeatCall(send, may, onDoubt);
    return rows;
  }

  /** Rejects unless this program may use the engine and its tables. */
  async function check(select: (text: string) => Promise<readonly Record<string, unknown>[]>): Promise<void> {
    const startedAt = performance.now();
    requireUsable(what, name, await readTableVersion(name, select), program);
    readAt = startedAt;
  }

  const isChecked = (): boolean => readAt > Number.NEGATIVE_INFINITY;
  const isRecent = (): boolean => performance.now() - readAt < relyMs;

  function checkHere(): Promise<void> {
    checking ??= check((text) => repeat(text, [])).finally(() => {
      checking = undefined;
    });
    return checking;
  }

  /** Runs a statement, after a check unless there was one, and reports whether the engine executes statements. */
  async function execute(
    wasChecked: boolean,
    ...[text, values, onDoubt]: Parameters<StatementRunner['run']>
  ): Promise<Record<string, unknown>[]> {
    if (isEmbedded(pool)) await requireOwnDirectory(pool);
    try {
      if (!wasChecked) await checkHere();
      const rows = await repeat(text, values, onDoubt);
      health.succeeded(text);
      return rows;
    } catch (error) {
      // What fails because of a locked row, or because the program ends its pool, is no outage.
      const isOutage = Object(error).systemCode !== lockTimeout && !(isPgPool(pool) && pool.ending);
      if (isOutage) health.failed(text, error);
      throw error;
    }
  }

  return {
    schema: name,
    run: (...statement) => execute(isChecked(), ...statement),
    begin: (...statement) => execute(isRecent(), ...statement),
    async requireTables(connection) {
      if (!isRecent()) await check(async (text) => (await connection.query(text)).rows);
    },
  };
}
