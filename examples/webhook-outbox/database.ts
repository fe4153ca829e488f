import pg from 'pg';

/**
 * Connects to the database of `DATABASE_URL`. If a connection breaks, for example when Postgres restarts, what uses it fails, and the
 * next use has a new connection. Without these listeners pg would end the process: the pool reports its idle connections, and
 * each connection reports itself while a transaction has it.
 */
export function openPool(): pg.Pool {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
  const report = (error: Error): void => console.error('Connection lost:', error.message);
  pool.on('error', report);
  pool.on('connect', (connection) => connection.on('error', report));
  return pool;
}
