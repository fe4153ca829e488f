import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createMock } from '@orgchat/mock-server';
import { ProxyAgent } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { version } from '../../src/generated/version.ts';
import { type ClientEvent, type ClientOptions, createClient } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { applied, failure, json, lost, scripted } from '../../test-support/servers/scripted.ts';

const page = json({ records: [], total: 0, limited: false });
const notPlain = 'headers must be a plain object. Pass Object.fromEntries(headers) for Headers or a Map.';
const vip = { name: 'VIP', color: 'pink' } as const;

describe('headers', () => {
  test('name the SDK and its version', async () => {
    const { client, sent } = scripted([page]);
    await client.tags.list();
    expect(sent[0]?.headers.get('user-agent')).toBe(`orgchat-sdk/${version}`);
  });

  test('of the client and of the call are sent with every attempt', async () => {
    const headers = { 'User-Agent': 'shop/1.0', 'X-Team': 'crm', traceparent: '00-a' };
    const { client, sent } = scripted([lost, applied], { headers });
    await client.tags.create(vip, { headers: { Traceparent: '00-b', 'x-team': undefined } });
    for (const { headers } of sent) {
      expect(headers.get('user-agent')).toBe('shop/1.0');
      expect(headers.get('traceparent')).toBe('00-b');
      expect(headers.get('x-team')).toBeNull();
      expect(headers.get('authorization')).toMatch(/^Bearer /);
      expect(headers.get('content-type')).toBe('application/json');
    }
    expect(sent).toHaveLength(2);
  });

  test.each([
    [
      { Authorization: 'Bearer other' },
      'headers must not contain "Authorization": the SDK or the connection sets it.',
    ],
    [
      { 'accept-language': 'ja' },
      'headers must not contain "accept-language": the SDK or the connection sets it.',
    ],
    [
      { 'X-Token': 'secret\r\nX-Other: 1' },
      'headers: "X-Token" and its value must be strings of characters that are allowed in a header.',
    ],
    [
      { 'X Team': 'a' },
      'headers: "X Team" and its value must be strings of characters that are allowed in a header.',
    ],
    [{ Connection: 'close' }, 'headers must not contain "Connection": the SDK or the connection sets it.'],
    [
      { 'X-Count': 1 as never },
      'headers: "X-Count" and its value must be strings of characters that are allowed in a header.',
    ],
    [
      { 'X-Tags': {} as never },
      'headers: "X-Tags" and its value must be strings of characters that are allowed in a header.',
    ],
    [new Headers({ 'X-Team': 'a' }) as never, notPlain],
    [new Map([['X-Team', 'a']]) as never, notPlain],
    [[['X-Team', 'a']] as never, notPlain],
    ['X-Team: a' as never, notPlain],
  ])('%j are refused, for a client and for a call', async (headers, message) => {
    expect(() => scripted([page], { headers })).toThrow(message);
    expect(() => scripted([page]).client.with({ headers })).toThrow(message);
    const { client, sent } = scripted([page]);
    const error = await getRejection(client.tags.list({ headers }));
    expect(error).toMatchObject({ code: 'INVALID_OPTIONS', message });
    expect(sent).toEqual([]);
  });

  test.each(['te', 'trailer', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect', 'proxy-connection'])(
    '%s is refused, because fetch would not send it',
    (name) => {
      const message = `headers must not contain "${name}": the SDK or the connection sets it.`;
      expect(() => scripted([page], { headers: { [name]: 'x' } })).toThrow(message);
    },
  );

  test('of an object without a prototype are sent, and those that are undefined are not', async () => {
    const { client, sent } = scripted([page]);
    const headers = Object.assign(Object.create(null), { 'X-Team': 'a', 'X-Other': undefined });
    await client.tags.list({ headers });
    expect(sent[0]?.headers.get('x-team')).toBe('a');
    expect(sent[0]?.headers.has('x-other')).toBe(false);
  });
});

test('the language of one call', async () => {
  const { client, sent } = scripted([page]);
  await client.tags.list({ language: 'ja' });
  await client.tags.list();
  expect(sent.map(({ headers }) => headers.get('accept-language'))).toEqual(['ja', 'en']);
  expect(await getRejection(client.tags.list({ language: 'fr' as 'en' }))).toMatchObject({
    code: 'INVALID_OPTIONS',
  });
});

describe('client.with', () => {
  test('keeps options, journal and headers, and adds to them', async () => {
    const { client, sent } = scripted([lost, applied], { headers: { 'x-team': 'crm' }, retry: false });
    const error = await getRejection(client.tags.create(vip));
    const other = client.with({ language: 'ja', headers: { traceparent: '00-a' }, timeoutMs: undefined });
    const [operation] = await other.operations.list();
    expect(operation?.operationId).toBe((error as { operationId?: string }).operationId);
    await other.operations.resumeAll();
    const [, { headers } = { headers: new Headers() }] = sent;
    expect(['accept-language', 'x-team', 'traceparent'].map((name) => headers.get(name))).toEqual([
      'ja',
      'crm',
      '00-a',
    ]);
    expect(await client.operations.list({ open: true })).toEqual([]);
  });

  test('throws for an option that cannot be used', () => {
    const { client } = scripted([page]);
    expect(() => client.with({ timeoutMs: -1 })).toThrow('timeoutMs must be a number, 1 or greater; got -1.');
  });
});

describe('an option that does not exist is refused', () => {
  test.each([
    [
      { timeout: 5 },
      /^"timeout" is not an option of createClient\(\)\. Options: apiKey, baseUrl, .*timeoutMs/,
    ],
    [{ retry: { attempts: 2 } }, /^"attempts" is not an option of retry\. Options: maxAttempts, /],
    [
      { pacing: { perSecond: 1 } },
      /^"perSecond" is not an option of pacing\. Options: perMinute, shared, onStoreDown\.$/,
    ],
    [{ fetchOptions: { method: 'PUT' } }, /^fetchOptions must not contain "method": the SDK sets it\.$/],
    [{ fetchOptions: {}, fetch }, /^fetch and fetchOptions cannot be combined\./],
  ])('%j', (options, message) => {
    expect(() => createClient({ apiKey: 'k', baseUrl: 'https://x.example', ...(options as object) })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS', message: expect.stringMatching(message) }),
    );
  });

  test.each(['timeout', 'maxAttempts'])('of a call: %s', async (name) => {
    const { client, sent } = scripted([page]);
    const options = { [name]: 2 } as object;
    for (const call of [
      client.account(options),
      client.tags.create(vip, options),
      client.tags.list(options),
    ]) {
      expect((await getRejection(call)).message).toMatch(
        `"${name}" is not an option of a call. Options: signal, `,
      );
    }
    expect(sent).toEqual([]);
  });
});

describe('fetchOptions', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  test('send every request through a proxy', async () => {
    const { baseUrl, close } = await createMock().listen({ port: 0 });
    const asked: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      const [host, port] = url.split(':');
      const up = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      up.pipe(socket).pipe(up);
      for (const end of [up, socket]) end.on('error', () => up.destroy());
    });
    servers.push(proxy);
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const dispatcher = new ProxyAgent(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const client = createClient({ apiKey: 'demo-write-key', baseUrl, fetchOptions: { dispatcher } });
    await client.tags.create(vip);
    await client.keywords.add('demo-site', { keywords: ['proxied'] });
    expect(new Set(asked)).toEqual(new Set([new URL(baseUrl).host]));
    await dispatcher.close();
    await close();
  });

  test('with a dispatcher of another undici say which one fits', async () => {
    // What undici throws if a dispatcher of version 8 gets a handler of version 7.
    const cause = Object.assign(new Error('invalid handler'), { code: 'UND_ERR_INVALID_ARG' });
    const dispatch = (): never => {
      throw cause;
    };
    const baseUrl = 'http://127.0.0.1:8099/api/v1';
    const client = createClient({ apiKey: 'k', baseUrl, fetchOptions: { dispatcher: { dispatch } } });
    const error = await getRejection(client.tags.create(vip));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', outcome: 'abandoned', attempts: 1 });
    expect(error.message).toContain(`undici as the fetch of this Node, which is ${process.versions.undici}`);
  });
});

describe('the log', () => {
  const logged = async (options: ClientOptions) => {
    const lines: [string, string][] = [];
    const events: ClientEvent[] = [];
    const to = (level: string) => (line: string, event: ClientEvent) => {
      lines.push([level, line]);
      events.push(event);
    };
    const logger = { debug: to('debug'), info: to('info'), warn: to('warn') };
    const { client } = scripted([lost, failure(503, 'INTERNAL_ERROR'), applied], { logger, ...options });
    await client.tags.create(vip).catch(() => undefined);
    await vi.waitFor(() => expect(events.at(-1)?.type).toBe('outcome'));
    return { lines, events };
  };

  test('has a line per call as info, and its steps as debug', async () => {
    const { lines } = await logged({});
    const levels = lines.map(([level]) => level);
    expect(levels).toEqual(['debug', 'debug', 'debug', 'debug', 'debug', 'debug', 'info']);
    expect(lines.at(-1)?.[1]).toMatch(
      /^orgchat: \d+ POST \/chat\/changes create-tags: outcome outcome=applied attempts=3 .*status=200 .*operationId=/,
    );
    expect(lines.join()).not.toContain('test-key');
  });

  test('has unknown outcomes as warn', async () => {
    const { lines } = await logged({ retry: false });
    expect(lines.at(-1)).toEqual(['warn', expect.stringContaining('outcome=unknown')]);
    expect(lines.at(-1)?.[1]).toContain('errorReason=CONNECTION_LOST');
  });

  test('does not affect the call if it throws', async () => {
    const fail = (): never => {
      throw new Error('the disk is full');
    };
    const { client } = scripted([applied], { logger: { debug: fail, info: fail, warn: fail } });
    expect(await client.tags.create(vip)).toMatchObject({ applied: true });
  });

  test.each([
    ['info', 1],
    ['debug', 3],
    ['verbose', 0],
    ['', 0],
  ])('goes to stderr with ORGCHAT_LOG=%s', async (level, count) => {
    vi.stubEnv('ORGCHAT_LOG', level);
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      const { client } = scripted([applied]);
      await client.tags.create(vip);
      await vi.waitFor(() => expect(error).toHaveBeenCalledTimes(count));
    } finally {
      error.mockRestore();
      vi.unstubAllEnvs();
    }
  });
});
