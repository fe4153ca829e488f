import { setTimeout as sleep } from 'node:timers/promises';
import { FleetError } from '../fleet-error.ts';
import { isTransient, toFleetError } from './engine-error.ts';
import type { Queryable } from './pool.ts';
import { currentVersion, schemaName } from './schema.ts';

/** The oldest supported version of Postgres. Every supported release has what the statements use. */
const oldestVersion = 120_000;

/** The values of a statement, or what makes them, within a time limit, each time that it is sent. */
export type Values = readonly unknown[] | ((timeoutMs: number) => Promise<readonly unknown[]>);

/** Runs statements that may be repeated. */
export interface Engine {
  /** The quoted name of the schema. */
  readonly schema: string;
  /**
   * Runs a statement, and repeats it while the engine cannot be reached, at most for the time limit. `onLate` is called
   * if the statement ends after this has rejected.
   */
  run(text: string, values: Values, onLate?: () => void): Promise<Record<string, unknown>[]>;
}

/** How an engine is used. */
export interface EngineOptions {
  /** What fails, at the start of an error message. */
  readonly what: string;
  readonly schema: string | undefined;
  readonly timeoutMs: number;
}

/** Creates what runs the statements of one store. The first statement checks the engine and its tables. */
export function createEngine(pool: Queryable, { what, schema, timeoutMs }: EngineOptions): Engine {
  if (typeof pool?.query !== 'function') {
    throw new FleetError(`${what} requires a pool of pg or a PGlite database.`, { code: 'INVALID_OPTIONS' });
  }
  const name = schemaName(schema);
  let checked: Promise<void> | undefined;

  async function attempt(
    text: string,
    values: readonly unknown[],
    endsAt: number,
    onLate?: () => void,
  ): Promise<Record<string, unknown>[]> {
    let isOver = false;
    const query = (async () => pool.query(text, [...values]))();
    const settled = (): void => {
      if (isOver) onLate?.();
    };
    query.then(settled, settled);
    const limit = new AbortController();
    const tooLate = sleep(Math.max(1, endsAt - performance.now()), undefined, {
      signal: limit.signal,
      ref: false,
    });
    try {
      const answer = await Promise.race([query, tooLate.then(() => undefined)]);
      if (answer) return answer.rows as Record<string, unknown>[];
      isOver = true;
      throw new FleetError(
        `${what} failed: the engine did not answer within ${timeoutMs} ms. Check that it runs, and that the pool has a free connection.`,
        { code: 'STORE_UNAVAILABLE' },
      );
    } finally {
      tooLate.catch(() => undefined);
      limit.abort();
    }
  }

  async function repeat(
    text: string,
    values: Values,
    onLate?: () => void,
  ): Promise<Record<string, unknown>[]> {
    const endsAt = performance.now() + timeoutMs;
    for (let delayMs = 25; ; delayMs = Math.min(delayMs * 2, 400)) {
      try {
        const given = typeof values === 'function' ? await values(endsAt - performance.now()) : values;
        return await attempt(text, given, endsAt, onLate);
      } catch (error) {
        if (!isTransient(error) || performance.now() + delayMs >= endsAt) throw toFleetError(what, error);
        await sleep(delayMs);
      }
    }
  }

  async function check(): Promise<void> {
    const rows = await repeat(
      `SELECT current_setting('server_version_num')::int AS engine, (SELECT max(version) FROM ${name}.migrations) AS tables`,
      [],
    );
    const { engine, tables } = rows[0] ?? {};
    if (Number(engine) < oldestVersion) {
      const version = Math.floor(Number(engine) / 10_000);
      throw new FleetError(`${what} requires Postgres 12 or later; the engine is version ${version}.`, {
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
    async run(text, values, onLate) {
      checked ??= check();
      try {
        await checked;
      } catch (error) {
        checked = undefined;
        throw error;
      }
      return repeat(text, values, onLate);
    },
  };
}
