import { expect, test } from 'vitest';
import { parseReplyCode } from './reply-code.ts';

test.each([
  ['READONLY', "READONLY You can't write against a read only replica."],
  ['NOSCRIPT', 'NOSCRIPT No matching script. Please use EVAL.'],
  ['OOM', "OOM command not allowed when used memory > 'maxmemory'. script: 872b, on @user_script:1."],
  ['ERR', 'ERR'],
])('finds %s', (expected, message) => {
  expect(parseReplyCode(new Error(message))).toBe(expected);
});

test.each([
  ['Connection is closed.'],
  ['The client is closed'],
  ['A connection was lost'],
  [''],
  ['READONLYyou'],
  ['oom command not allowed'],
])('finds no code in %j', (message) => {
  expect(parseReplyCode(new Error(message))).toBeUndefined();
});

test('finds no code of Redis in an error of the operating system', () => {
  const error = Object.assign(new Error('ECONNREFUSED 127.0.0.1'), { code: 'ECONNREFUSED' });
  expect(parseReplyCode(error)).toBeUndefined();
});

test.each([[undefined], [null], ['READONLY x'], [{ message: 7 }]])(
  'finds no code in the value %j',
  (value) => {
    expect(parseReplyCode(value)).toBeUndefined();
  },
);
