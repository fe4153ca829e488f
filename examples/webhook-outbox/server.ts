/*
 * A webhook that commits an order and its change in one transaction; worker.ts sends the change. It never waits for the API.
 * Any number of both may run, on any machines. Environment: DATABASE_URL, ORGANIZATION_ID (as
 * `orgchat account` shows it), SCENARIO_ID, WEBHOOK_SECRET, PORT.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { migrate, outbox } from '@orgchat/fleet/postgres';
import { openPool } from './database.ts';
import { type Order, orderTable, storeOrder } from './store-order.ts';

const { ORGANIZATION_ID = '', SCENARIO_ID = '', WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
if (WEBHOOK_SECRET === '' || SCENARIO_ID === '') throw new Error('Set WEBHOOK_SECRET and SCENARIO_ID.');

const pool = openPool();
await migrate(pool); // Every process may call it, at every start.
await pool.query(orderTable);
const box = outbox(pool, { organization: ORGANIZATION_ID });

function isSigned(body: string, signature: string): boolean {
  const expected = createHmac('sha256', WEBHOOK_SECRET).update(body).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function parseOrder(body: string): Order | undefined {
  try {
    const { id, friend } = JSON.parse(body) as Order;
    const texts = [id, friend.accountId, friend.userId];
    return texts.every((part) => part && typeof part === 'string') ? { id, friend } : undefined;
  } catch {
    return undefined;
  }
}

const server = createServer(async (request, response) => {
  const body = await text(request).catch(() => '');
  const order = parseOrder(body);
  let status = isSigned(body, String(request.headers['x-signature'])) ? 204 : 401;
  if (status === 204 && order === undefined) status = 400;
  if (status === 204 && order !== undefined) {
    try {
      await storeOrder(pool, box, SCENARIO_ID, order);
    } catch (error) {
      console.error('To be delivered again:', error);
      status = 503;
    }
  }
  response.writeHead(status).end();
}).listen(Number(PORT), '127.0.0.1');
await once(server, 'listening');
console.log('Listening:', server.address());

process.once('SIGTERM', async () => {
  setInterval(() => server.closeIdleConnections(), 100).unref();
  await new Promise((closed) => server.close(closed));
  await pool.end();
});
