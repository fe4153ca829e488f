import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient, OutcomeUnknownError, ServerError } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { account, type Step, scripted } from '../../test-support/servers/scripted.ts';

const mebibyte = 1024 * 1024;
const vip = { name: 'VIP', color: 'pink' } as const;

/** A client of an HTTP server that answers every request alike; what the server has sent is counted. */
async function served<T>(
  answer: (response: ServerResponse) => void,
  use: (client: ReturnType<typeof createClient>, closed: Promise<unknown>) => Promise<T>,
): Promise<T> {
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const server = createServer((_, response) => {
    response.on('close', close);
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const limits = { maxResponseBytes: mebibyte, pacing: false, timeoutMs: 20_000 } as const;
  try {
    return await use(createClient({ apiKey: 'test-key-123456', baseUrl, ...limits }), closed);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Sends without an end, as long as somebody reads. */
function sendForever(response: ServerResponse, status = 200): void {
  response.writeHead(status, { 'x-request-id': 'req-large' });
  const chunk = Buffer.alloc(64 * 1024, 'a');
  const send = (): void => {
    while (!response.destroyed) if (!response.write(chunk)) return;
  };
  response.on('drain', send);
  send();
}

const tooLarge = /The answer has more than 1048576 bytes\. .* raise maxResponseBytes/;

describe('an answer larger than maxResponseBytes', () => {
  test('to a read is an error, sent once, and its connection is closed', async () => {
    await served(sendForever, async (client, closed) => {
      const error = await getRejection(client.account());
      expect(error).toBeInstanceOf(ServerError);
      expect(error).toMatchObject({
        code: 'RESPONSE_TOO_LARGE',
        status: 200,
        attempts: 1,
        requestId: 'req-large',
      });
      expect(error.message).toMatch(tooLarge);
      await closed;
    });
  });

  test('to a write leaves its outcome unknown', async () => {
    await served(sendForever, async (client) => {
      const calls = [client.tags.create(vip), client.keywords.add('demo-site', { keywords: ['a'] })];
      // Either may be the first to end.
      for (const error of await Promise.all(calls.map(getRejection))) {
        expect(error).toBeInstanceOf(OutcomeUnknownError);
        expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason: 'RESPONSE_TOO_LARGE', attempts: 1 });
        expect(error.cause).toMatchObject({
          code: 'RESPONSE_TOO_LARGE',
          message: expect.stringMatching(tooLarge),
        });
      }
      expect(await client.operations.list({ state: 'unknown' })).toHaveLength(2);
    });
  });

  test('is measured after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * mebibyte, ' '));
    expect(bomb.length).toBeLessThan(mebibyte);
    const answer = (response: ServerResponse) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
    await served(answer, async (client) => {
      const before = process.memoryUsage().rss;
      expect(await getRejection(client.account())).toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * mebibyte);
    });
  });

  test.each([
    [403, 'HTTP_403'],
    [404, 'INVALID_RESPONSE'],
  ])('with status %i is judged by its status', async (status, code) => {
    await served(
      (response) => sendForever(response, status),
      async (client, closed) => {
        const error = await getRejection(client.account({ retry: false }));
        expect(error).toMatchObject({ code, status, attempts: 1 });
        expect(error.message).toMatch(tooLarge);
        expect(error.cause).toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
        await closed;
      },
    );
  });

  test('of a fetch whose answer has text() alone is one too', async () => {
    const body = JSON.stringify({ ...account, padding: 'é'.repeat(300) });
    const fetch = async () =>
      ({ ok: true, status: 200, headers: new Headers(), text: async () => body }) as unknown as Response;
    const client = (maxResponseBytes: number) =>
      createClient({ apiKey: 'test-key-123456', baseUrl: 'https://x.example', fetch, maxResponseBytes });
    expect(await getRejection(client(400).account())).toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
    expect(await client(2_000).account()).toMatchObject({ key: {} });
  });
});

describe('an answer as large as maxResponseBytes', () => {
  const body = JSON.stringify({ ...account, plan: '\u{1f600}é' });
  const bytes = new TextEncoder().encode(`\ufeff${body}`);
  /** One byte at a time, so that each character is cut. */
  const slowly: Step = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      }),
    );

  test('is read whole', async () => {
    const { client } = scripted([slowly], { maxResponseBytes: bytes.length });
    expect(await client.account()).toEqual(JSON.parse(body));
    const one = scripted([slowly], { maxResponseBytes: bytes.length - 1, retry: false });
    expect(await getRejection(one.client.account())).toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
  });
});

test.each([1, 2, 3, 1_000])(
  'a body in chunks of %i bytes, which may split a character, is read as it is',
  async (size) => {
    const bytes = new TextEncoder().encode(`\ufeff${JSON.stringify({ ...account, plan: 'ビジネス 🎉' })}`);
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const { client } = scripted([() => new Response(body)]);
    expect(await client.account()).toMatchObject({ plan: 'ビジネス 🎉' });
  },
);

test('a body whose chunks all lie in one buffer, as a fetch of the caller may send it, is whole', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(account));
  const buffer = new Uint8Array(16);
  let at = 0;
  const read = async () => {
    const part = bytes.subarray(at, at + buffer.length);
    at += part.length;
    buffer.set(part);
    return { done: part.length === 0, value: buffer.subarray(0, part.length) };
  };
  const body = { getReader: () => ({ read, cancel: async () => undefined }) };
  const answer = { ok: true, status: 200, headers: new Headers(), body } as unknown as Response;
  const { client } = scripted([() => answer]);
  expect(await client.account()).toMatchObject(account);
});

test('a body that a fetch of the caller keeps open is canceled when the call ends', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const cancel = vi.fn();
  let pull: () => void = () => undefined;
  const isRead = new Promise<void>((resolve) => {
    pull = resolve;
  });
  // Without a queue, it is pulled only when somebody reads.
  const open: Step = () => new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }));
  const { client } = scripted([open], { timeoutMs: 20 });
  const rejection = getRejection(client.account());
  await isRead;
  expect(cancel).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20);
  expect(await rejection).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  expect(cancel).toHaveBeenCalled();
});

test.each([0, -1, Number.NaN, '1' as unknown as number])(
  'maxResponseBytes of %s is refused',
  (maxResponseBytes) => {
    expect(() => scripted([], { maxResponseBytes })).toThrow(
      `maxResponseBytes must be a number, 1 or greater; got ${maxResponseBytes}.`,
    );
  },
);
