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

/** A text that Postgres and the API can store. */
const isText = (part: unknown): boolean =>
  typeof part === 'string' && part !== '' && part.isWellFormed() && !part.includes('\0');

function parseOrder(body: string): Order | undefined {
  try {
    const { id, friend } = JSON.parse(body) as Order;
    return [id, friend.accountId, friend.userId].every(isText) ? { id, friend } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether Postgres can never store an order, such as one whose id is too long for an index: by the class of its SQLSTATE. */
const isRefused = (error: unknown): boolean => /^(22|54)/.test(String(Object(error).code));

const server = createServer(async (request, response) => {
  const body = await text(request).catch(() => '');
  const order = parseOrder(body);
  let status = isSigned(body, String(request.headers['x-signature'])) ? 204 : 401;
  if (status === 204 && order === undefined) status = 400;
  if (status === 204 && order !== undefined) {
    try {
      await storeOrder(pool, box, SCENARIO_ID, order);
    } catch (error) {
      status = isRefused(error) ? 422 : 503;
      console.error(status === 422 ? 'Refused:' : 'To be delivered again:', error);
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
