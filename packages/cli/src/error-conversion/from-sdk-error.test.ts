import { ConnectionError } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { fromSdkError } from './from-sdk-error.ts';

const hintOf = (systemCode: string): string | undefined =>
  fromSdkError(
    new ConnectionError('No connection.', { code: 'CONNECTION_FAILED', reason: 'tls', systemCode }),
    'api.example.com',
  )?.hint;

test.each([
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    /^The certificate is for another host name\. Check the host in the base URL/,
  ],
  ['CERT_HAS_EXPIRED', /^Renew the certificate of the server, or correct the clock/],
  ['CERT_NOT_YET_VALID', /clock of this machine/],
  ['CERT_REVOKED', /was revoked/],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', /must support TLS 1\.2 or later/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /must support TLS 1\.2 or later/],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', /must support TLS 1\.2 or later/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS=ca\.pem/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS=ca\.pem/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS=ca\.pem/],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /NODE_EXTRA_CA_CERTS=ca\.pem/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /^The server may not use TLS\./],
  ['ERR_SSL_SOMETHING_ELSE', /^Check the certificate and the TLS settings of the server/],
])('%s: %s', (systemCode, hint) => {
  expect(hintOf(systemCode)).toMatch(hint);
});
