import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpAdapter, type Timeouts } from '../../src/adapters/http-adapter.ts';
import { createMock } from '../../src/index.ts';
import type { ServedMock } from '../../src/served-mock.ts';
import { Raw } from '../../test-support/raw.ts';

const mock = createMock({ rateLimit: 'off', monthlyLimit: 'off' }) as ServedMock;
const opened: HttpAdapter[] = [];
afterEach(() => Promise.all(opened.splice(0).map((adapter) => adapter.close())));

const ever = 60_000;

/** Opens an adapter: the given timeouts are short, all others are never reached. */
async function doorWith(timeouts: Partial<Timeouts>): Promise<number> {
  const adapter = await HttpAdapter.open({
    port: 0,
    host: '127.0.0.1',
    mock,
    sleep: () => Promise.resolve(),
    bodyLimit: () => 0,
    onError: (error) => {
      throw error;
    },
    createGuard: () => ({ loopbackOnly: true, token: undefined, isToken: () => false }),
    malformed: (status) => ({ status, headers: {}, body: 'too slow' }),
    timeouts: {
      headersTimeout: ever,
      requestTimeout: ever,
      keepAliveTimeout: ever,
      connectionsCheckingInterval: 5,
      lingerTimeout: ever,
      heartbeatInterval: ever,
      ...timeouts,
    },
  });
  opened.push(adapter);
  return adapter.port;
}

const head = (length: number): string =>
  `POST /api/v1/chat/read HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-read-key\r\nContent-Length: ${length}\r\n\r\n`;
const list = JSON.stringify({ resource: 'friends' });

/** Sends one byte at a time until the other side closes. */
async function trickle(raw: Raw, byte: string): Promise<string> {
  const timer = setInterval(() => raw.socket.writable && raw.send(byte), 2);
  const received = await raw.ended();
  clearInterval(timer);
  return received;
}

describe('a client that is too slow', () => {
  it('answers 408 if its header does not end, even while bytes arrive', async () => {
    const raw = new Raw(await doorWith({ headersTimeout: 20 })).send('GET / HTTP/1.1\r\nX: ');
    expect(await trickle(raw, 'x')).toMatch(/^HTTP\/1\.1 408 .*too slow$/s);
  });

  it('answers 408 if it sends nothing', async () => {
    const raw = new Raw(await doorWith({ headersTimeout: 20 }));
    expect(await raw.ended()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('answers 408 if its body does not end, and does not call the API', async () => {
    mock.requests.clear();
    const raw = new Raw(await doorWith({ headersTimeout: 20, requestTimeout: 20 })).send(head(1_000_000));
    expect(await trickle(raw, ' ')).toMatch(/^HTTP\/1\.1 408 .*too slow$/s);
    expect(mock.requests.list()).toEqual([]);
  });

  it('is disconnected if it keeps its side open after the last answer', async () => {
    const port = await doorWith({ lingerTimeout: 20 });
    const held = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    held.write('nonsense\r\n\r\n');
    held.resume();
    await once(held, 'end');
    // A half-open connection would still accept writes.
    const timer = setInterval(() => held.write('x'), 2);
    const [error] = (await once(held, 'error')) as [NodeJS.ErrnoException];
    clearInterval(timer);
    expect(['ECONNRESET', 'EPIPE']).toContain(error.code);
  });

  // Node adds a second to this timeout.
  it('is closed if no further request comes', async () => {
    const raw = new Raw(await doorWith({ keepAliveTimeout: 20 })).send(head(list.length) + list);
    expect(await raw.ended()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('gets comments on a stream of events, so that no proxy closes it', async () => {
    const port = await doorWith({ heartbeatInterval: 2 });
    const raw = new Raw(port).send('GET /_mock/events HTTP/1.1\r\nHost: x.localhost\r\n\r\n');
    expect(await raw.until('\r\n:\n\n\r\n', 3)).not.toContain('data:');
  });

  it('may read slowly: no answers are made in advance, and no other client waits', async () => {
    const port = await doorWith({});
    mock.requests.clear();
    const count = 3_000;
    const slow = new Raw(port);
    slow.socket.pause();
    slow.send((head(list.length) + list).repeat(count));
    const answered = (): number => mock.requests.list().length;
    await expect.poll(answered).toBeGreaterThan(10);
    // It has stopped if many other requests were answered and it sent nothing more.
    let before = -1;
    while (before !== answered()) {
      before = answered();
      const quick = new Raw(port).send((head(list.length) + list).repeat(20));
      await quick.until('HTTP/1.1 200', 20);
      quick.socket.destroy();
      before += 20;
    }
    expect(before).toBeLessThan(count);
    slow.socket.resume();
    await slow.until('HTTP/1.1 200', count);
    slow.socket.destroy();
  });
});
