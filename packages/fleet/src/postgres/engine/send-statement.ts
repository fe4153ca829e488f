import { isPgPool, type PgPool, type Queryable, type Statement } from '../pool.ts';

/** Sends one statement, in a transaction of its own. */
export type SendStatement = (
  text: string,
  values: readonly unknown[],
  timeoutMs: number,
) => Promise<{ readonly rows: Record<string, unknown>[] }>;

/** Of a transaction that another one was faster than: no statement of this package fails with it under READ COMMITTED. */
const serializationFailure = '40001';

/** The engine ends the transaction of a process that was stopped within it, and gives its locks back. */
const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = 2000';

/**
 * Creates what sends the statements of a store.
 *
 * A connection that does not answer in time is closed: it may lead to an engine that is gone, and the pool would use it
 * again. If the role has a stricter default isolation than READ COMMITTED, statements fail as soon as two processes want
 * the same row. From the first such failure on, each is sent within a transaction that names its isolation.
 */
export function createSend(pool: Queryable): SendStatement {
  if (!isPgPool(pool)) return (text, values) => pool.query(text, [...values]);
  let namesIsolation = false;
  return async (text, values, timeoutMs) => {
    // After the caller has given up, so that it says what it waited for.
    const query_timeout = Math.max(1, Math.ceil(timeoutMs)) + 50;
    if (!namesIsolation) {
      try {
        return await pool.query({ text, values: [...values], query_timeout });
      } catch (error) {
        if ((Object(error) as { readonly code?: unknown }).code !== serializationFailure) throw error;
        namesIsolation = true;
      }
    }
    return sendReadCommitted(pool, { text, values: [...values], query_timeout });
  };
}

async function sendReadCommitted(
  pool: PgPool,
  statement: Statement,
): Promise<{ rows: Record<string, unknown>[] }> {
  const { query_timeout } = statement;
  const connection = await pool.connect();
  try {
    await connection.query({ text: begin, query_timeout });
    const answer = await connection.query(statement);
    await connection.query({ text: 'COMMIT', query_timeout });
    connection.release();
    return answer;
  } catch (error) {
    // Closes it, which rolls back.
    connection.release(true);
    throw error;
  }
}
