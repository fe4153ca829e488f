import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { createMock, type SeedDocument } from '@orgchat/mock-server';
import type { ServerOrders } from './messages.ts';
import type { ServerPhase } from './plan.ts';

/*
 * A server in its own process. It kills itself with SIGKILL at an exact phase of a request. The product has no code for
 * this.
 */

const orders = JSON.parse(process.argv[2] ?? '{}') as ServerOrders;
let doom: ServerPhase | undefined;

const die = (phase: ServerPhase): void => {
  if (doom === phase) process.kill(process.pid, 'SIGKILL');
};

/** The clock, which a request reads first. Its change is applied at the end of that turn of the event loop. */
function now(): number {
  die('arrival');
  if (doom === 'applied') queueMicrotask(() => die('applied'));
  return Date.now();
}

const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...head: unknown[]) {
  die('written');
  this.once('finish', () => die('answered'));
  return writeHead.apply(this, head as Parameters<typeof writeHead>);
} as typeof writeHead;

const seed = JSON.parse(readFileSync(orders.seed, 'utf8')) as SeedDocument;
const unlimited = { rateLimit: 'off', monthlyLimit: 'off', requestLogSize: 100, now } as const;
const mock =
  orders.bug === 'answer-before-write'
    ? answersBeforeItWrites(orders.data)
    : createMock({ ...unlimited, seed, data: orders.data });

/** A planted bug: data stays in memory and is written some time after the answer. */
function answersBeforeItWrites(path: string) {
  const early = existsSync(path)
    ? createMock({ ...unlimited, state: JSON.parse(readFileSync(path, 'utf8')) as unknown })
    : createMock({ ...unlimited, seed });
  let answers = 0;
  const { end } = ServerResponse.prototype;
  ServerResponse.prototype.end = function (this: ServerResponse, ...rest: unknown[]) {
    if (++answers % 100 === 0) writeFileSync(path, JSON.stringify(early.state()));
    return end.apply(this, rest as Parameters<typeof end>);
  } as typeof end;
  return early;
}

process.on('message', (phase: ServerPhase) => {
  doom = phase;
  process.send?.({ doomed: phase });
});
process.on('disconnect', () => process.exit());
const { port } = await mock.listen({ port: orders.port });
process.send?.({ port });
