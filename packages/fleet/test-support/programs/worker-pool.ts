import pg from 'pg';

/** Creates the pool of a worker process. A connection that breaks must not end the process. */
export function createWorkerPool(port: number, options: pg.PoolConfig = {}): pg.Pool {
  const engine = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };
  const pool = new pg.Pool({ ...engine, max: 4, ...options });
  const ignore = (): void => undefined;
  pool.on('error', ignore);
  pool.on('connect', (connection) => connection.on('error', ignore));
  return pool;
}
