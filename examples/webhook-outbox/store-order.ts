/*
 * Stores an order, and with it the change that has to follow: the friend who ordered gets the messages of a scenario. Both
 * are in one transaction, so none is there without the other, whichever process dies when.
 */
import type { Outbox } from '@orgchat/fleet/postgres';
import type { Pool } from 'pg';

export interface Order {
  readonly id: string;
  readonly friend: { readonly accountId: string; readonly userId: string };
}

/** A table of your own application. */
export const orderTable = 'CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, body jsonb NOT NULL)';

/** Returns whether the order is new. One that was delivered before changes nothing. */
export async function storeOrder(
  pool: Pool,
  box: Outbox,
  scenarioId: string,
  order: Order,
): Promise<boolean> {
  const tx = await pool.connect();
  try {
    await tx.query('BEGIN');
    const insert = 'INSERT INTO orders (id, body) VALUES ($1, $2) ON CONFLICT DO NOTHING';
    const { rowCount } = await tx.query(insert, [order.id, order]);
    const { accountId, userId } = order.friend;
    if (rowCount === 1) {
      const change = { action: 'enroll-scenario', accountId, userId, scenarioId } as const;
      await box.add(tx, change, { intent: ['order', order.id] });
    }
    await tx.query('COMMIT');
    return rowCount === 1;
  } catch (error) {
    await tx.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    tx.release();
  }
}
