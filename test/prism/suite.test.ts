import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Caller } from '../../packages/mock-server/test/caller.ts';
import { suiteThrough } from '../../packages/mock-server/test/suite/through.ts';
import { type PrismDoor, prismDoor, throughPrism } from './door.ts';

/*
 * The black-box suite of the mock through a fourth door: Prism, which nobody here wrote, judges by spec/openapi.yaml
 * what is asked and what is answered.
 */
describe('through Prism', () => {
  let door: PrismDoor;

  suiteThrough(async (options) => {
    door = await prismDoor(options);
    return door;
  });

  it('there was nothing against any of it', () => {
    expect(door.violations).toEqual([]);
    const { strict, lenient, around } = door.taken;
    expect(strict).toBeGreaterThan(500);
    expect(lenient).toBeGreaterThan(100);
    expect(around).toBeLessThan(10);
  });
});

it('an answer that breaks the document is caught, whatever was asked', async () => {
  const liar = createServer((_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"INVALID_INPUT"}');
  }).listen(0, '127.0.0.1');
  await once(liar, 'listening');
  const way = await throughPrism(`http://127.0.0.1:${(liar.address() as AddressInfo).port}/api/v1`);
  try {
    const caller = new Caller(way);
    await caller.read({ resource: 'tags' });
    await caller.read({ resource: 'nothing' });
    expect(way.taken).toEqual({ strict: 1, lenient: 1, around: 0 });
    const caught = expect.stringContaining("must have required property 'message'");
    expect(way.violations).toEqual([caught, caught]);
  } finally {
    await way.close();
    liar.close();
  }
});
