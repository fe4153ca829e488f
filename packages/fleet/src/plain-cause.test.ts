import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { FleetError } from './fleet-error.ts';
import { toPlainCause } from './plain-cause.ts';

const showAll = (error: unknown): string =>
  inspect(error, { depth: Infinity, showHidden: true }) + JSON.stringify(error);

test('the cause of an error has name, message, code and stack of that of the driver, and nothing else', () => {
  class ReplyError extends Error {
    override readonly name = 'ReplyError';
    readonly command = { name: 'hello', args: ['3', 'AUTH', 'default', 's3cret'] };
    readonly detail = 'Failing row contains (s3cret).';
    readonly code = 'X0001';
  }
  const cause = new ReplyError('WRONGPASS invalid password');
  const { cause: plain } = new FleetError('x', { code: 'STORE_FAILED', cause });
  expect(plain).toMatchObject({ name: 'ReplyError', message: 'WRONGPASS invalid password', code: 'X0001' });
  expect((plain as Error).stack).toBe(cause.stack);
  expect(showAll(cause)).toContain('s3cret');
  expect(showAll(plain)).not.toContain('s3cret');
});

test('causes and the errors of several addresses are plain too', () => {
  const inner = Object.assign(new Error('inner'), { command: 's3cret' });
  const error = new AggregateError([Object.assign(inner, { code: 'ECONNREFUSED' })], 'all', { cause: inner });
  const plain = toPlainCause(error) as AggregateError;
  expect(plain).toMatchObject({ message: 'all', cause: { message: 'inner' } });
  expect(plain.errors).toMatchObject([{ message: 'inner', code: 'ECONNREFUSED' }]);
  expect(showAll(plain)).not.toContain('s3cret');
  const own = new Error('its own cause');
  own.cause = own;
  expect(showAll(toPlainCause(own))).toContain('its own cause');
});

test('what Redis repeats of a command is removed', () => {
  const says = "ERR unknown command 'HELLO', with args beginning with: '3' 'AUTH' 'default' 's3cret'";
  const plain = toPlainCause(new Error(says)) as Error;
  expect(plain.message).toBe("ERR unknown command 'HELLO'");
  expect(plain.stack).toMatch(/unknown command 'HELLO'\n {4}at /);
  expect(toPlainCause(says)).toBe("ERR unknown command 'HELLO'");
  expect(toPlainCause(undefined)).toBeUndefined();
});

test('an error of this package stays as it is', () => {
  const cause = new FleetError('inner', { code: 'STORE_FULL' });
  expect(new FleetError('outer', { code: 'STORE_FAILED', cause }).cause).toBe(cause);
});
