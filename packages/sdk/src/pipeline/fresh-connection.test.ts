import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { getRejection } from '../../test-support/rejection.ts';
import { type BrittleServer, openBrittleServer } from '../../test-support/servers/brittle-server.ts';
import { createClient, OutcomeUnknownError } from '../index.ts';
import { openFreshConnection, unrepeatable } from './fresh-connection.ts';

afterEach(() => void vi.unstubAllGlobals());

const added = JSON.stringify({ added: ['x'], skipped: [] });

async function brittleServer(): Promise<BrittleServer> {
  const server = await openBrittleServer();
  onTestFinished(() => server.close());
  return server;
}

/** A connection is free for the next request only in a later turn of the event loop. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const options = { apiKey: 'test-key-1234567890', pacing: false, retry: false } as const;

test('keyword writes never use a connection that an earlier call left open', async () => {
  const { baseUrl, counts } = await brittleServer();
  const client = createClient({ ...options, baseUrl });
  await client.account();
  await idle();
  for (let n = 0; n < 5; n++) {
    expect(await client.keywords.add('s', { keywords: ['x'] })).toEqual(JSON.parse(added));
    await idle();
  }
  expect(counts).toEqual({ connections: 6, requests: 6, onReused: 0 });
});

test('other calls reuse connections, so the test server can break them', async () => {
  const { baseUrl, counts } = await brittleServer();
  const client = createClient({ ...options, baseUrl });
  await client.account();
  await idle();
  const error = await getRejection(client.tags.create({ name: 'VIP', color: 'pink' }));
  expect(error).toBeInstanceOf(OutcomeUnknownError);
  expect(counts.onReused).toBe(1);
});

test('many at once each have a connection', async () => {
  const { baseUrl, counts } = await brittleServer();
  const client = createClient({ ...options, baseUrl });
  await Promise.all(Array.from({ length: 20 }, () => client.keywords.add('s', { keywords: ['x'] })));
  expect(counts).toEqual({ connections: 20, requests: 20, onReused: 0 });
});

test('a dispatcher that is more than a pool is left alone', () => {
  class MockAgent {
    dispatch(): boolean {
      return true;
    }
  }
  const key = Symbol.for('undici.globalDispatcher.1');
  const globals = globalThis as { [name: symbol]: unknown };
  const before = globals[key];
  onTestFinished(() => {
    globals[key] = before;
  });
  globals[key] = new MockAgent();
  expect(openFreshConnection()).toMatchObject({ isFresh: false, init: {} });
});

test.each<[string, (request: Request) => Promise<Response>]>([
  ['the fetch of Node', undefined as never],
  ['a fetch of the caller that calls it', (request) => fetch(request)],
])('a 421 is not sent again by %s', async (_name, own) => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(`${request.headers['content-length']} ${await text(request)}`);
    const isFirst = received.length === 1;
    response.writeHead(isFirst ? 421 : 201, { 'content-type': 'application/json' });
    response.end(isFirst ? '{"error":"MISDIRECTED","message":"Not here."}' : added);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const client = createClient({ ...options, baseUrl, fetch: own });
  const error = await getRejection(client.keywords.add('s', { keywords: ['é'] }));
  expect(error).toMatchObject({ status: 421, outcome: 'refused', attempts: 1 });
  // Its length is known, as that of a text is.
  expect(received).toEqual(['19 {"keywords":["é"]}']);
});

test('in Deno each has a client without idle connections, which ends with it', async () => {
  const close = vi.fn();
  const createHttpClient = vi.fn(() => ({ close }));
  vi.stubGlobal('Deno', { createHttpClient });
  const inits: unknown[] = [];
  vi.stubGlobal('fetch', async (_request: Request, init: unknown) => {
    inits.push(init);
    return new Response(added, { status: 200 });
  });
  const client = createClient({ ...options, baseUrl: 'https://deno.example.com/api/v1' });
  await client.keywords.add('s', { keywords: ['x'] });
  expect(createHttpClient).toHaveBeenCalledWith({ poolMaxIdlePerHost: 0 });
  expect(inits).toMatchObject([{ client: { close } }]);
  await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1));
});

test('in Deno a body for an own fetch is a stream, with the same bytes', async () => {
  vi.stubGlobal('Deno', {});
  const bodies: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    bodies.push(await request.text());
    return new Response(added, { status: 200 });
  };
  const client = createClient({ ...options, baseUrl: 'https://deno.example.com/api/v1', fetch });
  await client.keywords.add('s', { keywords: ['x', 'é'] });
  expect(bodies).toEqual(['{"keywords":["x","é"]}']);
  expect(unrepeatable('{}').body).toBeInstanceOf(ReadableStream);
  expect(unrepeatable('{}', true)).toEqual({ body: '{}' });
});
