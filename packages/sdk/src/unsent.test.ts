import { describe, expect, test } from 'vitest';
import { provablyUnsent } from './unsent.ts';

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
