/** What this package needs of a pool of `pg`, a PGlite database, or a connection within a transaction. */
export interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** A connection as the class `Client` of pg has it. */
export interface Session extends Queryable {
  readonly processID?: number | null | undefined;
  connect(): Promise<unknown>;
  end(): Promise<unknown>;
  unref(): void;
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown;
  on(event: 'notification', listener: (notification: { readonly channel: string }) => void): unknown;
}

/** A statement as pg takes it with options of its own. */
export interface Statement {
  readonly text: string;
  readonly values?: unknown[];
  /** How long the answer may take, in milliseconds. */
  readonly query_timeout: number;
}

/** A connection of a pool of pg. */
interface PooledConnection {
  query(statement: Statement): Promise<{ rows: Record<string, unknown>[] }>;
  /** Gives the connection back, or closes it. */
  release(isBroken?: boolean): void;
}

/** A pool of pg. */
export interface PgPool extends Queryable {
  query(text: string, values?: unknown[]): ReturnType<Queryable['query']>;
  query(statement: Statement): ReturnType<Queryable['query']>;
  readonly Client: new (options: object) => Session;
  readonly options: object;
  readonly ending?: boolean;
  connect(): Promise<PooledConnection>;
  on(event: 'remove', listener: () => void): unknown;
}

/** Returns whether sessions of their own can be made from the options of this pool. */
export function isPgPool(pool: Queryable): pool is PgPool {
  const { Client, options, on } = pool as Partial<PgPool>;
  return typeof Client === 'function' && typeof options === 'object' && typeof on === 'function';
}

/**
 * Names the connections that a pool will open, for the engine's list of sessions, unless its options or its environment
 * name them.
 */
export function nameConnections(pool: Queryable): void {
  if (!isPgPool(pool)) return;
  const options: { fallback_application_name?: string | undefined } = pool.options;
  options.fallback_application_name ??= 'orgchat';
}

/** Returns whether this is a PGlite database: it lives in this process, and nobody else can open it. */
export function isEmbedded(pool: Queryable): boolean {
  const { exec, waitReady } = pool as { readonly exec?: unknown; readonly waitReady?: unknown };
  return typeof exec === 'function' && waitReady !== undefined;
}
