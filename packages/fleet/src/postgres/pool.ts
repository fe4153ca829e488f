/** What this package needs of a pool of `pg`, a PGlite database, or a connection within a transaction. */
export interface Queryable {
  // biome-ignore lint/suspicious/noExplicitAny: the drivers declare their rows and values in this way
  query(text: string, values?: any[]): Promise<{ rows: any[] }>;
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

/** A pool of pg. */
export interface PgPool extends Queryable {
  readonly Client: new (options: object) => Session;
  readonly options: object;
  readonly ending?: boolean;
  on(event: 'remove', listener: () => void): unknown;
}

/** Returns whether sessions of their own can be made from the options of this pool. */
export function isPgPool(pool: Queryable): pool is PgPool {
  const { Client, options, on } = pool as Partial<PgPool>;
  return typeof Client === 'function' && typeof options === 'object' && typeof on === 'function';
}

/** Returns whether this is a PGlite database: it lives in this process, and nobody else can open it. */
export function isEmbedded(pool: Queryable): boolean {
  const { exec, waitReady } = pool as { readonly exec?: unknown; readonly waitReady?: unknown };
  return typeof exec === 'function' && waitReady !== undefined;
}
