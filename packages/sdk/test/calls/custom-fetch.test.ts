import { fetch as undiciFetch } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient, type OrgChatClient } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { type ByteServer, openByteServer } from '../../test-support/servers/byte-server.ts';

/* A `fetch` of the caller that fails: what it sent decides the outcome. A raw server counts the bytes. */

type Fetch = (request: Request) => Promise<Response>;

const vip = { name: 'VIP', color: 'pink' } as const;
const badConfig = (): never => {
  throw new Error('the proxy is not configured');
};
let server: ByteServer;

beforeEach(async () => {
  server = await openByteServer({ ok: true, applied: true, replayed: false, auditRecorded: true });
});
afterEach(() => server.close());

const open = (fetch: Fetch): OrgChatClient =>
  createClient({
    apiKey: 'k',
    baseUrl: server.baseUrl,
    pacing: false,
    retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 2 },
    fetch,
  });

const writes: Readonly<Record<string, (client: OrgChatClient) => Promise<unknown>>> = {
  'a change': (client) => client.tags.create(vip),
  'a change with an intent': (client) => client.tags.create(vip, { intent: ['x'] }),
  'a keyword write': (client) => client.keywords.add('s', { keywords: ['x'] }),
};
const post = (request: Request, body: string | Uint8Array<ArrayBuffer> | ReadableStream): Promise<Response> =>
  fetch(request.url, { method: 'POST', body, headers: { 'x-a': 'b' }, duplex: 'half' } as RequestInit);

const unsent: Readonly<Record<string, Fetch>> = {
  'rejects before it sends': async () => badConfig(),
  'rejects after another request': async (request) => {
    await fetch(new URL('/token', request.url), { method: 'POST', body: '{}' });
    return badConfig();
  },
  'hands the Request to the fetch of another undici': undiciFetch as unknown as Fetch,
  'read the request, and says that it was not sent': async (request) => {
    await request.text();
    throw Object.assign(new Error('over the budget'), { sent: false });
  },
  'wraps an error that says so': async (request) => {
    await request.text();
    throw new Error('failed', { cause: Object.assign(new Error('over the budget'), { sent: false }) });
  },
};

/** As the README shows it. */
const sendByUndici = ({ url, method, headers, body, signal }: Request) => {
  const init = { method, headers: [...headers], body, signal, duplex: 'half' };
  return undiciFetch(url, init as Parameters<typeof undiciFetch>[1]);
};

/** Sends a request in some way, and fails after it was answered. */
const failsAfter =
  (send: (request: Request) => Promise<unknown>): Fetch =>
  async (request) => {
    await send(request);
    return badConfig();
  };

const sent: Readonly<Record<string, Fetch>> = {
  'sends the request': failsAfter((request) => fetch(request)),
  'sends a clone': failsAfter((request) => fetch(request.clone())),
  'sends a copy': failsAfter((request) => fetch(new Request(request))),
  'sends a copy with other headers': failsAfter((request) =>
    fetch(new Request(request, { headers: { a: 'b' } })),
  ),
  'sends its text': failsAfter(async (request) => post(request, await request.text())),
  'sends the text of a clone': failsAfter(async (request) => post(request, await request.clone().text())),
  'sends its stream': failsAfter((request) => post(request, request.body ?? '')),
  'sends a branch of its stream': failsAfter((request) => post(request, request.body?.tee()[0] ?? '')),
  'sends what a reader read, which it released': failsAfter(async (request) => {
    const reader = request.body?.getReader();
    const { value = new Uint8Array() } = (await reader?.read()) ?? {};
    reader?.releaseLock();
    await post(request, value);
  }),
  'sends it with another undici': failsAfter((request) => sendByUndici(request)),
  'reads the request and does not say whether it was sent': failsAfter((request) => request.text()),
};

describe.each(Object.entries(writes))('%s', (_name, write) => {
  test.each(Object.entries(unsent))('is not applied if fetch %s', async (_how, fetch) => {
    const client = open(fetch);
    const error = await getRejection(write(client));
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'CONNECTION_FAILED', attempts: 2 });
    expect(error.cause).toBeInstanceOf(Error);
    expect(await client.operations.list()).toMatchObject([{ state: 'abandoned' }]);
    expect(await client.operations.resumeAll()).toEqual([]);
  });

  test.each(Object.entries(sent))('may be applied if fetch %s, and then fails', async (_how, fetch) => {
    const client = open(fetch);
    expect(await getRejection(write(client))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await client.operations.list()).toMatchObject([{ state: 'unknown' }]);
  });
});

test('the error says that nothing was sent, and no byte was', async () => {
  const error = await getRejection(open(async () => badConfig()).tags.create(vip));
  expect(error.message).toMatch(
    /^The fetch of the client failed before it sent the request\. See its cause\./,
  );
  expect(error.cause).toMatchObject({ message: 'the proxy is not configured' });
  await server.roundTrip();
  expect(server.bytes()).toBe(0);
});

test('a request that fetch gave up cannot be sent later', async () => {
  const requests: Request[] = [];
  const client = open((request) => {
    requests.push(request);
    return Promise.reject(new Error('the queue is full'));
  });
  await getRejection(client.tags.create(vip));
  expect(requests).toHaveLength(2);
  for (const request of requests) {
    await expect(fetch(request)).rejects.toThrow(TypeError);
    expect(() => request.clone()).toThrow(TypeError);
    await expect(request.text()).rejects.toThrow(TypeError);
  }
  await server.roundTrip();
  expect(server.bytes()).toBe(0);
});

test('another undici sends what it gets by its parts', async () => {
  const client = open(sendByUndici as unknown as Fetch);
  expect(await client.tags.create(vip)).toMatchObject({ applied: true });
});

test('a fetch that fails for a moment is called again', async () => {
  let calls = 0;
  const client = open(async (request) => (calls++ === 0 ? badConfig() : fetch(request)));
  expect(await client.tags.create(vip)).toMatchObject({ applied: true });
  expect(await client.operations.list()).toMatchObject([{ state: 'applied', attempts: 2 }]);
});

test('an attempt that was sent before decides', async () => {
  let calls = 0;
  const client = open(async (request) => {
    if (calls++ === 0) await fetch(request);
    return badConfig();
  });
  expect(await getRejection(client.tags.create(vip))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
});

test.each([true, 0, null, 'false'])(
  'sent: %j on an error does not say that nothing was sent',
  async (value) => {
    const client = open(async (request) => {
      await request.text();
      throw Object.assign(new Error('x'), { sent: value });
    });
    expect(await getRejection(client.tags.create(vip))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  },
);
