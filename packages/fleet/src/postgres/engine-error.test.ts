import { describe, expect, test } from 'vitest';
import { FleetError } from '../fleet-error.ts';
import { isAmbiguous, isTransient, toFleetError } from './engine-error.ts';

const failed = (code: string | undefined, message = 'what the driver says') =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

describe('an error of the driver', () => {
  test.each([
    ['28P01', 'STORE_CREDENTIALS'],
    ['28000', 'STORE_CREDENTIALS'],
    ['42501', 'STORE_CREDENTIALS'],
    ['25006', 'STORE_READ_ONLY'],
    ['42P01', 'STORE_NOT_MIGRATED'],
    ['3F000', 'STORE_NOT_MIGRATED'],
    ['42883', 'STORE_NOT_MIGRATED'],
    ['53100', 'STORE_FULL'],
    ['53200', 'STORE_FULL'],
    ['53300', 'STORE_UNAVAILABLE'],
    ['55P03', 'STORE_UNAVAILABLE'],
    ['57P01', 'STORE_UNAVAILABLE'],
    ['57014', 'STORE_UNAVAILABLE'],
    ['08006', 'STORE_UNAVAILABLE'],
    ['3D000', 'STORE_UNAVAILABLE'],
    ['23514', 'STORE_FAILED'],
    ['ECONNREFUSED', 'STORE_UNAVAILABLE'],
    ['EPIPE', 'STORE_UNAVAILABLE'],
    [undefined, 'STORE_UNAVAILABLE'],
  ])('with code %s is %s', (code, expected) => {
    const cause = failed(code);
    const error = toFleetError('The store', cause);
    expect(error).toBeInstanceOf(FleetError);
    expect(error).toMatchObject({ name: 'FleetError', code: expected, systemCode: code });
    expect(error.cause).toMatchObject({ message: cause.message, stack: cause.stack });
    expect(error.message).toMatch(/^The store failed: what the driver says( \(\w{5}\))?\. [A-Z].*\.$/);
  });

  test('of a login without a password says where to set it', () => {
    const cause = failed(undefined, 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
    expect(toFleetError('The store', cause)).toMatchObject({
      code: 'STORE_CREDENTIALS',
      message: expect.stringContaining('PGPASSWORD'),
    });
    expect([isAmbiguous(cause), isTransient(cause)]).toEqual([false, false]);
  });

  test.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
    'of a certificate (%s) says what to check',
    (code) => {
      const { message } = toFleetError('The store', failed(code));
      expect(message).toMatch(/Check the certificate of Postgres, and ssl in the options of the pool\.$/);
    },
  );

  test('of several addresses has the code of the first', () => {
    const error = new AggregateError([
      failed('ECONNREFUSED', 'no one at ::1'),
      failed('ETIMEDOUT', 'nor here'),
    ]);
    expect(toFleetError('The store', error)).toMatchObject({
      systemCode: 'ECONNREFUSED',
      message: expect.stringContaining('no one at ::1; nor here'),
    });
  });

  test('of this package stays as it is', () => {
    const error = new FleetError('x', { code: 'STORE_VERSION' });
    expect(toFleetError('The store', error)).toBe(error);
    expect(isTransient(error)).toBe(false);
  });
});

test.each([
  ['a lost connection', undefined, true, true],
  ['a reset', 'ECONNRESET', true, true],
  ['an engine that is shut down', '57P01', true, true],
  ['a connection failure', '08006', true, true],
  ['too many connections', '53300', false, true],
  ['a serialization failure', '40001', false, true],
  ['a deadlock', '40P01', false, true],
  ['a statement that took too long', '57014', false, true],
  ['a certificate that is not trusted', 'SELF_SIGNED_CERT_IN_CHAIN', false, false],
  ['a read-only engine', '25006', false, false],
  ['a wrong password', '28P01', false, false],
  ['a full disk', '53100', false, false],
])('%s: executed perhaps, and worth another try', (_what, code, ambiguous, transient) => {
  expect([isAmbiguous(failed(code)), isTransient(failed(code))]).toEqual([ambiguous, transient]);
});
