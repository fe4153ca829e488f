import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMock, type Listening, type Mock } from '../../src/index.ts';
import { data } from '../../test-support/data.ts';
import { Raw } from '../../test-support/raw.ts';

let mock: Mock;
let server: Listening;
/** Ends the delay of the delayed answer. */
let wake = (): void => {};

beforeAll(async () => {
  mock = createMock({
    rateLimit: 'off',
    monthlyLimit: 'off',
    sleep: () => new Promise((resolve) => (wake = resolve)),
  });
  server = await mock.listen({ port: 0 });
});
afterAll(() => server.close());

const head = (path: string, length?: number): string =>
  `${length === undefined ? 'GET' : 'POST'} /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer demo-write-key\r\n${
    length === undefined ? '' : `Content-Length: ${length}\r\n`
  }\r\n`;
const post = (path: string, body: object): string => {
  const text = JSON.stringify(body);
  return head(path, Buffer.byteLength(text)) + text;
};

describe('over a raw socket', () => {
  it('pipelined requests are answered in order', async () => {
    const raw = new Raw(server.port);
    raw.send(
      head('/me') + post('/chat/read', { resource: 'tags', limit: 1 }) + head('/nowhere') + head('/me'),
    );
    const received = await raw.until('X-Request-Id', 4);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 404',
      'HTTP/1.1 200',
    ]);
    raw.socket.destroy();
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a bad method', 'G\u0000T / HTTP/1.1\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    [
      'length and chunks',
      'POST /api/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a version that is none', 'GET /\r\nHost: localhost\r\n\r\n', 400],
    ['no host', 'GET /api/v1/me HTTP/1.1\r\nAuthorization: Bearer demo-read-key\r\n\r\n', 400],
    ['two hosts', 'GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n', 400],
    ['a header without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}`, 431],
  ])('%s is answered in the error body', async (_, bytes, status) => {
    const received = await new Raw(server.port).send(bytes).ended();
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received).toContain('X-Request-Id: ');
    expect(received).toMatch(/\{"error":"INVALID_INPUT","message":"[^"]+"\}$/);
  });

  it('the answer to malformed bytes does not overtake pending answers', async () => {
    mock.faults.arm({ effect: 'delay', delayMs: 100, operation: 'getAccount' });
    const raw = new Raw(server.port);
    raw.send(`${head('/me')}${post('/chat/read', { resource: 'tags' })}nonsense\r\n\r\n`);
    await expect.poll(() => mock.faults.list()[0]?.hits.length).toBe(1);
    wake();
    const statuses = (await raw.ended()).match(/HTTP\/1\.1 \d+/g);
    expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
    mock.faults.disarm();
  });

  it('a lost response does not lose the answers before it', async () => {
    mock.requests.clear();
    mock.faults.arm({ effect: 'delay', delayMs: 100, operation: 'getAccount' });
    mock.faults.arm({ effect: 'lose-response', operation: 'readStudio' });
    const raw = new Raw(server.port);
    raw.send(head('/me') + post('/studio/read', { resource: 'projects' }));
    await expect.poll(() => mock.faults.list().map(({ hits }) => hits.length)).toEqual([1, 1]);
    wake();
    expect((await raw.ended()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(mock.requests.list().map(({ answered }) => answered)).toEqual([true, false]);
    mock.faults.disarm();
  });

  it('bytes after a rejected request are ignored', async () => {
    mock.requests.clear();
    const noHost = 'GET /api/v1/me HTTP/1.1\r\n\r\n';
    const change = { operationId: crypto.randomUUID(), change: { action: 'create-tags', data: data.tags } };
    const received = await new Raw(server.port).send(noHost + post('/chat/changes', change)).ended();
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(mock.requests.list()).toEqual([]);
  });

  it('an expectation is met or ignored, and a tunnel is an unknown path', async () => {
    const expecting = (what: string): string =>
      head('/me').replace('\r\n\r\n', `\r\nExpect: ${what}\r\n\r\n`);
    const raw = new Raw(server.port).send(expecting('a-miracle'));
    expect(await raw.until('organizationId')).toMatch(/^HTTP\/1\.1 200/);
    expect(await raw.send(expecting('100-continue')).until('organizationId', 2)).toContain('100 Continue');
    raw.socket.destroy();
    const tunnel = new Raw(server.port).send(
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
    );
    const received = await tunnel.ended();
    expect(received).toMatch(/^HTTP\/1\.1 404 .*X-Request-Id: .*\{"error":"NOT_FOUND"/s);
  });

  it('invalid UTF-8 is 400', async () => {
    const raw = new Raw(server.port);
    raw.send(head('/chat/read', 14)).send(Buffer.from([...Buffer.from('{"resource":"'), 0xc3]));
    expect(await raw.until('\r\n\r\n{')).toMatch(/^HTTP\/1\.1 400 .*INVALID_INPUT/s);
    raw.socket.destroy();
  });

  it('the replacement character U+FFFD may be sent', async () => {
    const raw = new Raw(server.port).send(post('/chat/read', { resource: 'friends', search: '\ufffd' }));
    expect(await raw.until('"total":0')).toMatch(/^HTTP\/1\.1 200/);
    raw.socket.destroy();
  });

  it('an absolute request target is understood', async () => {
    const raw = new Raw(server.port);
    raw.send(head('/me').replace('/api', 'http://localhost/api'));
    expect(await raw.until('\r\n\r\n{')).toMatch(/^HTTP\/1\.1 200/);
    raw.socket.destroy();
  });

  it('a slow body does not delay other requests', async () => {
    const slow = new Raw(server.port).send(head('/chat/read', 100)).send('{');
    const quick = new Raw(server.port).send(head('/me'));
    await quick.until('organizationId');
    quick.socket.destroy();
    slow.socket.destroy();
  });

  it('the control API rejects a foreign Host', async () => {
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:4010', '']) {
      const raw = new Raw(server.port).send(`GET /_mock/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect(await raw.until('\r\n\r\n{'), host).toMatch(/^HTTP\/1\.1 403/);
      raw.socket.destroy();
    }
    for (const host of ['localhost', '127.0.0.1:1', '[::1]:80', 'LOCALHOST']) {
      const raw = new Raw(server.port).send(`GET /_mock/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect(await raw.until('\r\n\r\n{'), host).toMatch(/^HTTP\/1\.1 200/);
      raw.socket.destroy();
    }
  });

  it('a reset is a TCP reset', async () => {
    for (const effect of ['drop-request', 'lose-response'] as const) {
      mock.faults.arm({ effect });
      const raw = new Raw(server.port).send(head('/me'));
      expect(await raw.ended()).toBe('');
    }
  });

  it('a cut answer has the length of the whole and half of its bytes', async () => {
    mock.faults.arm({ effect: 'cut-response' });
    const received = await new Raw(server.port).send(head('/me')).ended();
    const [, length] = /Content-Length: (\d+)/.exec(received) ?? [];
    const body = received.slice(received.indexOf('\r\n\r\n') + 4);
    expect(body).toMatch(/^\{"organizationId/);
    expect(body.length).toBe(Number(length) >>> 1);
  });

  it('[6.7] the same request as a delayed change is 409 uncertain, and a replay once the change is applied', async () => {
    mock.reset();
    mock.faults.arm({ effect: 'delay', delayMs: 100, times: 1 });
    const operationId = crypto.randomUUID();
    const change = { operationId, change: { action: 'create-tags', data: data.tags } };
    const first = new Raw(server.port).send(post('/chat/changes', change));
    await expect.poll(() => mock.requests.list().length).toBe(1);
    const second = new Raw(server.port).send(post('/chat/changes', change));
    expect(await second.until('OPERATION_UNCERTAIN')).toMatch(/^HTTP\/1\.1 409/);
    const other = new Raw(server.port).send(
      post('/chat/changes', {
        ...change,
        change: { ...change.change, data: { ...data.tags, color: 'blue' } },
      }),
    );
    await other.until('INPUT_CONFLICT');
    wake();
    await first.until('"replayed":false');
    await second.send(post('/chat/changes', change)).until('"replayed":true');
    expect(mock.requests.list().filter(({ applied }) => applied)).toHaveLength(1);
    for (const raw of [first, second, other]) raw.socket.destroy();
  });
});

describe('closing', () => {
  it('answers requests in flight without the rest of their delay, and does not wait for idle or unfinished connections', async () => {
    const slow = createMock();
    const listening = await slow.listen({ port: 0 });
    const idle = new Raw(listening.port).send(head('/me'));
    await idle.until('organizationId');
    const unfinished = new Raw(listening.port).send(head('/chat/read', 50));
    slow.faults.arm({ effect: 'delay', delayMs: 3_600_000, operation: 'getAccount' });
    const flying = new Raw(listening.port).send(head('/me'));
    await expect.poll(() => slow.faults.list()[0]?.seen).toBe(1);
    const closed = listening.close();
    expect(await flying.ended()).toContain('organizationId');
    await closed;
    await Promise.all([idle.ended(), unfinished.ended()]);
  });

  it('a port in use is named, with advice', async () => {
    await expect(createMock().listen({ port: server.port })).rejects.toThrow(
      new RegExp(`Port ${server.port} of 127\\.0\\.0\\.1 is in use.*port 0`),
    );
  });
});
