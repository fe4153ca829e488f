import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runBehaviorTests } from '../../../packages/mock-server/test/behavior/run-behavior-tests.ts';
import { Caller } from '../../../packages/mock-server/test-support/caller.ts';
import { type ProxiedMock, serveThroughPrism, validateThroughPrism } from './proxied-server.ts';

/*
 * The mock's black-box suite through Prism, an independent tool, which validates requests and answers against
 * spec/openapi.yaml.
 */
describe('through Prism', () => {
  let proxied: ProxiedMock;

  runBehaviorTests(async (options) => {
    proxied = await serveThroughPrism(options);
    return proxied;
  });

  it('Prism reported no violation', () => {
    expect(proxied.violations).toEqual([]);
    const { strict, lenient, around } = proxied.routed;
    expect(strict).toBeGreaterThan(500);
    expect(lenient).toBeGreaterThan(100);
    expect(around).toBeLessThan(10);
  });
});

it('Prism reports an answer that violates the document, for any request', async () => {
  const liar = createServer((_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"INVALID_INPUT"}');
  }).listen(0, '127.0.0.1');
  await once(liar, 'listening');
  const proxied = await validateThroughPrism(
    `http://127.0.0.1:${(liar.address() as AddressInfo).port}/api/v1`,
  );
  try {
    const caller = new Caller(proxied);
    await caller.read({ resource: 'tags' });
    await caller.read({ resource: 'nothing' });
    expect(proxied.routed).toEqual({ strict: 1, lenient: 1, around: 0 });
    const caught = expect.stringContaining("must have required property 'message'");
    expect(proxied.violations).toEqual([caught, caught]);
  } finally {
    await proxied.close();
    liar.close();
  }
});
