import { describe, expect, test } from 'vitest';
import { getRejection } from '../../test-support/rejection.ts';
import { broken, type Step, scripted } from '../../test-support/servers/scripted.ts';
import { isLasting, isProvablyUnsent } from './unsent.ts';

const vip = { name: 'VIP', color: 'pink' } as const;

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
    ['a header that fetch refuses', wrapped(coded('UND_ERR_INVALID_ARG')), true],
    ['a header that fetch does not support', wrapped(coded('UND_ERR_NOT_SUPPORTED')), true],
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
    expect(isProvablyUnsent(error)).toBe(isUnsent);
  });

  test('an error that is its own cause ends', () => {
    const loop = new Error('loop');
    loop.cause = loop;
    expect(isProvablyUnsent(loop)).toBe(false);
  });

  test('a fetch that rejects with such an error, and a signal with such a reason, are reported as any other', async () => {
    const loop = new Error('loop');
    loop.cause = Object.assign(new Error('again'), { cause: loop });
    const reject: Step = () => Promise.reject(loop);
    const { client } = scripted([reject], { retry: false });
    expect(await getRejection(client.tags.create(vip))).toMatchObject({ reason: 'CONNECTION_LOST' });
    expect(await getRejection(client.account())).toMatchObject({ code: 'CONNECTION_LOST', cause: loop });
    const signal = AbortSignal.abort(loop);
    expect(await getRejection(client.account({ signal }))).toMatchObject({ code: 'ABORTED', cause: loop });
  });
});

describe('a failure that would repeat', () => {
  test.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('a certificate that is refused with %s: one attempt, and never left', async (code) => {
    const { client, sent } = scripted([broken(code)]);
    expect(await getRejection(client.tags.create(vip))).toMatchObject({
      name: 'ConnectionError',
      code: 'CONNECTION_FAILED',
      attempts: 1,
    });
    expect(await getRejection(client.account())).toMatchObject({ name: 'ConnectionError', attempts: 1 });
    expect(sent).toHaveLength(2);
    expect(await client.operations.list()).toMatchObject([{ state: 'abandoned' }]);
  });

  test.each(['transfer-encoding', 'expect'])(
    'the header %s added by a fetch of the caller: one attempt, and nothing left unknown',
    async (name) => {
      const fetch = (request: Request): Promise<Response> =>
        globalThis.fetch(request.url, { method: 'POST', body: '{}', headers: { [name]: 'chunked' } });
      const { client } = scripted([], { fetch, baseUrl: 'http://127.0.0.1:2/api/v1' });
      const error = await getRejection(client.tags.create(vip));
      expect(error).toMatchObject({ name: 'ConnectionError', code: 'CONNECTION_FAILED', attempts: 1 });
      expect(await client.operations.list()).toMatchObject([{ state: 'abandoned' }]);
    },
  );

  test('a refused connection is retried', async () => {
    const { client, sent } = scripted([broken('ECONNREFUSED', 'connect')]);
    expect(await getRejection(client.account())).toMatchObject({ attempts: 4 });
    expect(sent).toHaveLength(4);
    expect(isLasting(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))).toBe(false);
  });

  test('a fetch that throws instead of rejecting: nothing was sent, one call, nothing left unknown', async () => {
    let calls = 0;
    const fetch = (): Promise<Response> => {
      calls++;
      throw new TypeError('dispatcher.dispatch is not a function');
    };
    const { client } = scripted([], { fetch });
    const error = await getRejection(client.tags.create(vip));
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'CONNECTION_FAILED', attempts: 1 });
    expect(error.cause).toMatchObject({ message: 'dispatcher.dispatch is not a function' });
    expect(calls).toBe(1);
    expect(await client.operations.list()).toMatchObject([{ state: 'abandoned' }]);
    expect(await client.operations.resumeAll()).toEqual([]);
  });
});
