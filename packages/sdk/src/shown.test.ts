import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import {
  applied,
  failure,
  json,
  lost,
  refusedConnection,
  type Step,
  scripted,
} from '../test-support/scripted.ts';
import { isBrowserPage } from './browser.ts';
import { type ClientEvent, createClient, OrgChatError, type OutcomeUnknownError } from './index.ts';
import { provablyUnsent } from './unsent.ts';

const apiKey = 'secret-key-0123456789';
const vip = { name: 'VIP', color: 'pink' } as const;
const errorOf = (promise: PromiseLike<unknown>): Promise<OrgChatError> =>
  Promise.resolve(promise).then(
    () => expect.unreachable('it should have been rejected'),
    (error: OrgChatError) => error,
  );
const everything = (value: unknown): string =>
  [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value)].join('\n');

describe('the key is never shown', () => {
  test('by a client, its parts or its functions', () => {
    const { client } = scripted([applied], { apiKey });
    expect(everything(client)).not.toContain(apiKey);
    expect(everything({ ...client.tags, ...client.operations })).not.toContain(apiKey);
  });

  const echo: Step = (request) =>
    json({ error: `NO_${apiKey}`, message: request.headers.get('authorization') }, 403)(request, '');
  const carry: Step = (request) => {
    const config = { headers: { Authorization: request.headers.get('authorization') } };
    throw Object.assign(new Error('fetch failed'), { config });
  };
  const mention: Step = (request) => {
    throw new TypeError('fetch failed', { cause: new Error(`sent ${request.headers.get('authorization')}`) });
  };
  const attach: Step = (request) => {
    throw Object.assign(new Error('fetch failed'), { request });
  };

  const spread: Step = (request) => {
    const error = Object.assign(new Error('fetch failed'), {
      options: new Map([['headers', request.headers.get('authorization')]]),
    });
    // It goes round in circles, as errors of some clients do.
    throw Object.assign(error, { error, socket: { parser: { socket: error } } });
  };
  const vast: Step = () => {
    const parts = Array.from({ length: 2000 }, (_, n) => ({ n }));
    throw Object.assign(new Error('fetch failed'), { parts });
  };

  test.each([
    ['an error that hides it in a map and goes round in circles', spread],
    ['an error of very many parts', vast],
    ['a server that repeats it', echo],
    ['an error that carries it', carry],
    ['an error whose cause mentions it', mention],
    ['an error that carries the request', attach],
  ])('in an error, after %s', async (_name, step) => {
    const events: ClientEvent[] = [];
    const { client } = scripted([step], { apiKey, retry: false, onEvent: (event) => events.push(event) });
    for (const call of [
      client.account(),
      client.tags.create(vip),
      client.keywords.add('s', { keywords: ['x'] }),
    ]) {
      const error = await errorOf(call);
      expect(error).toBeInstanceOf(OrgChatError);
      for (let one: unknown = error; one instanceof Error; one = one.cause) {
        expect(everything(one)).not.toContain(apiKey);
        expect(one.stack).not.toContain(apiKey);
      }
    }
    expect(everything(events)).not.toContain(apiKey);
    expect(everything(await client.operations.list())).not.toContain(apiKey);
  });

  test('where it could not be sent', async () => {
    for (const bad of ['with\nnewline-in-it', 'ключ', '\u0000nul-byte-key']) {
      const error = await errorOf(
        (async () => createClient({ apiKey: bad, baseUrl: 'https://x.example' }))(),
      );
      expect(error).toMatchObject({ code: 'INVALID_OPTIONS' });
      expect(everything(error)).not.toContain(bad);
    }
  });
});

describe('an error', () => {
  test('says method, path and action, and keeps the server’s text apart', async () => {
    const { client } = scripted([failure(403, 'FORBIDDEN')]);
    const error = await errorOf(client.tags.create(vip));
    expect(error.message).toBe('POST /chat/changes (create-tags): 403 FORBIDDEN');
    expect(error).toMatchObject({ serverMessage: 'In words: FORBIDDEN', requestId: 'req-403', attempts: 1 });
  });

  test('keeps its cause, and shows what it knows', async () => {
    const { client } = scripted([refusedConnection], { retry: false });
    const error = await errorOf(client.account());
    expect(error.cause).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
    expect(inspect(error)).toMatch(
      /^ConnectionError: GET \/me: CONNECTION_FAILED \(ECONNREFUSED\)\n[\s\S]*attempts: 1/,
    );
    expect(inspect(error)).toMatch(/\[cause\]: TypeError: fetch failed/);
    expect(inspect(error)).not.toMatch(/undefined/);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ConnectionError',
      message: 'GET /me: CONNECTION_FAILED (ECONNREFUSED)',
      code: 'CONNECTION_FAILED',
      attempts: 1,
    });
  });

  test('of an unknown outcome says what to do', async () => {
    const { client } = scripted([lost], { retry: false });
    const error = (await errorOf(client.tags.create(vip))) as OutcomeUnknownError;
    expect(error.message).toContain(
      `operation ${error.operationId} may or may not be applied; resume() asks again`,
    );
    expect((await errorOf(client.keywords.add('s', { keywords: ['x'] }))).message).toMatch(
      /check the site's keywords$/,
    );
  });

  test('that nobody waited for is not reported twice', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { client } = scripted([failure(403, 'FORBIDDEN')]);
    await errorOf(client.account().withResponse());
    await errorOf(client.account());
    await errorOf(client.tags.list());
    await errorOf(client.tags.list().withResponse());
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test.each([
    [{ baseUrl: 'nonsense' }, /baseUrl/],
    [{ baseUrl: 'ftp://x.example' }, /http/],
    [{ baseUrl: 'https://user:pass@x.example' }, /credentials/],
    [{ baseUrl: 'https://x.example/?q' }, /query/],
    [{ timeoutMs: 0 }, /timeoutMs/],
    [{ retry: { maxAttempts: 0 } }, /maxAttempts/],
    [{ pacing: { perMinute: -1 } }, /perMinute/],
    [{ pacing: { perMinute: 0.5 } }, /perMinute must be 1 or more/],
    [{ apiKey: '' }, /ORGCHAT_API_KEY/],
    [{ language: 'fr' as 'ja' }, /language must be en or ja/],
  ])('of options %j is thrown at once', (options, message) => {
    expect(() => scripted([], options)).toThrow(message);
  });

  test('the server is asked for English where no other language is chosen', async () => {
    const { client, sent } = scripted([failure(403, 'FORBIDDEN')]);
    await errorOf(client.account());
    expect(sent[0]?.headers.get('accept-language')).toBe('en');
  });

  test('the environment gives key and base URL', async () => {
    vi.stubEnv('ORGCHAT_API_KEY', ' from-the-environment ');
    vi.stubEnv('ORGCHAT_BASE_URL', 'https://env.example.com/api/v1/');
    const seen: Request[] = [];
    const fetch = async (request: Request) => {
      seen.push(request);
      return Response.json({ organizationId: 'o', key: {}, api: {} });
    };
    await createClient({ fetch }).account();
    expect(seen[0]?.url).toBe('https://env.example.com/api/v1/me');
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer from-the-environment');
    vi.unstubAllEnvs();
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])(
    '%i is an error, and nothing goes to another origin',
    async (status) => {
      const reached: string[] = [];
      const other = createServer((request, response) => {
        reached.push(request.url ?? '');
        response.end('{}');
      });
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api/v1/me`;
      const server = createServer((_request, response) => response.writeHead(status, { location }).end());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
      const client = createClient({ apiKey, baseUrl, pacing: false });
      expect(await errorOf(client.account())).toMatchObject({ code: 'REDIRECTED', status, attempts: 1 });
      expect(await errorOf(client.tags.create(vip))).toMatchObject({ status, attempts: 1 });
      expect(await errorOf(client.keywords.add('s', { keywords: ['x'] }))).toMatchObject({
        status,
        attempts: 1,
      });
      expect(reached).toEqual([]);
      server.close();
      other.close();
    },
  );
});

describe('events', () => {
  test('tell requests, attempts, waits and outcomes', async () => {
    const events: ClientEvent[] = [];
    const { client } = scripted([lost, failure(500, 'INTERNAL_ERROR'), applied], {
      onEvent: (event) => events.push(event),
    });
    const { operationId } = await client.tags.create(vip);
    expect(events.map(({ type }) => type)).toEqual([
      'request',
      'attempt',
      'wait',
      'attempt',
      'wait',
      'attempt',
      'outcome',
    ]);
    expect(events.every((event) => 'operationId' in event && event.operationId === operationId)).toBe(true);
    expect(new Set(events.map((event) => 'callId' in event && event.callId)).size).toBe(1);
    expect(events[1]).toMatchObject({
      attempt: 1,
      answer: 'lost',
      status: undefined,
      subject: 'create-tags',
    });
    expect(events[3]).toMatchObject({ attempt: 2, answer: '5xx', status: 500, requestId: 'req-500' });
    expect(events[6]).toMatchObject({ outcome: 'applied', attempts: 3, errorCode: undefined });
  });

  test('a listener that throws changes nothing', async () => {
    const onEvent = (): never => {
      throw new Error('mine');
    };
    expect(await scripted([applied], { onEvent }).client.tags.create(vip)).toMatchObject({ applied: true });
  });

  test('go to node:diagnostics_channel, where somebody listens', async () => {
    const { subscribe, unsubscribe } = await import('node:diagnostics_channel');
    const heard: unknown[] = [];
    const listener = (event: unknown) => heard.push(event);
    subscribe('orgchat', listener);
    await scripted([applied]).client.tags.create(vip);
    unsubscribe('orgchat', listener);
    await scripted([applied]).client.tags.create(vip);
    expect(heard).toMatchObject([{ type: 'request' }, { type: 'attempt' }, { type: 'outcome' }]);
  });
});

describe('a browser page', () => {
  const window = { navigator: { userAgent: 'Mozilla/5.0 Chrome/140' } };
  test.each<[string, Parameters<typeof isBrowserPage>[0], boolean]>([
    ['a page', { window, document: {}, navigator: window.navigator }, true],
    ['an Electron renderer', { window, document: {}, process: { type: 'renderer' } }, true],
    ['a page with a process of a bundler', { window, document: {}, process: {} }, true],
    ['Node', { navigator: { userAgent: 'Node.js/22' }, process: {} }, false],
    ['a worker', { navigator: window.navigator }, false],
    ['Deno 1', { window: {}, Deno: {} }, false],
    ['Deno with a document', { window: {}, document: {}, Deno: {} }, false],
    ['Bun with a document', { window: {}, document: {}, Bun: {} }, false],
    ['Electron’s main process', { window, document: {}, process: { type: 'browser' } }, false],
    [
      'jsdom',
      { window: { navigator: { userAgent: 'Mozilla/5.0 (linux) jsdom/26.1.0' } }, document: {} },
      false,
    ],
    ['happy-dom', { window: {}, document: {}, navigator: { userAgent: 'Mozilla/5.0 HappyDOM/17' } }, false],
  ])('%s', (_name, surroundings, isPage) => {
    expect(isBrowserPage(surroundings)).toBe(isPage);
  });

  test('is refused', () => {
    vi.stubGlobal('window', window);
    vi.stubGlobal('document', {});
    expect(() => scripted([])).toThrow(/browser page/);
    vi.unstubAllGlobals();
  });
});

describe('provably unsent', () => {
  const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
  const wrapped = (cause: unknown) => new TypeError('fetch failed', { cause });
  const connect = { syscall: 'connect' };
  test.each<[string, unknown, boolean]>([
    ['refused', wrapped(coded('ECONNREFUSED', connect)), true],
    ['refused, as other clients say it', coded('ConnectionRefused'), true],
    ['no such host', wrapped(coded('ENOTFOUND', { syscall: 'getaddrinfo' })), true],
    ['names not resolved for now', wrapped(coded('EAI_AGAIN')), true],
    ['no connection in time', wrapped(coded('UND_ERR_CONNECT_TIMEOUT')), true],
    [
      'every address refused',
      wrapped(Object.assign(new AggregateError([coded('X', connect), coded('Y', connect)]))),
      true,
    ],
    ['a certificate that has expired', wrapped(coded('CERT_HAS_EXPIRED')), true],
    ['a certificate of its own', wrapped(coded('DEPTH_ZERO_SELF_SIGNED_CERT')), true],
    ['a chain with such a one', wrapped(coded('SELF_SIGNED_CERT_IN_CHAIN')), true],
    ['a certificate of another host', wrapped(coded('ERR_TLS_CERT_ALTNAME_INVALID')), true],
    ['a signature nobody vouches for', wrapped(coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE')), true],
    [
      'our certificate refused by the server',
      wrapped(coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')),
      false,
    ],
    ['no way to the host', wrapped(coded('EHOSTUNREACH', connect)), true],
    ['no way to the host any more', wrapped(coded('EHOSTUNREACH', { syscall: 'read' })), false],
    ['a port fetch does not use', wrapped(new Error('bad port')), true],
    [
      'one address reset',
      wrapped(new AggregateError([coded('ECONNREFUSED', connect), coded('ECONNRESET')])),
      false,
    ],
    ['reset', wrapped(coded('ECONNRESET', { syscall: 'read' })), false],
    ['closed by the other side', wrapped(coded('UND_ERR_SOCKET')), false],
    ['no head in time', wrapped(coded('UND_ERR_HEADERS_TIMEOUT')), false],
    ['nothing known', new TypeError('fetch failed'), false],
    ['no error at all', 'ECONNREFUSED', false],
    ['undefined', undefined, false],
  ])('%s: %s', (_name, error, isUnsent) => {
    expect(provablyUnsent(error)).toBe(isUnsent);
  });

  test('an error that is its own cause ends', () => {
    const loop = new Error('loop');
    loop.cause = loop;
    expect(provablyUnsent(loop)).toBe(false);
  });
});
