import { expect, test } from 'vitest';
import { createProgram } from '../program.ts';
import { readCommandLine } from './command-line.ts';
import { findRequestedFormat } from './global-options.ts';
import { duration, integerOrOff, positiveDuration, words } from './value-parsers.ts';

const find = (args: readonly string[], env: NodeJS.ProcessEnv = {}): string | undefined =>
  findRequestedFormat(readCommandLine(createProgram({ exitCode: 0 }), args), env);

test.each([
  [['tags', 'list', '--json'], 'json'],
  [['--format', 'yaml', 'account'], 'yaml'],
  [['account', '--format=ndjson'], 'ndjson'],
  [['mock', 'exec', '--', 'x', '--json'], undefined],
  [['account'], undefined],
])('%j names %s', (args, format) => {
  expect(find(args)).toBe(format);
});

test('without a format in the arguments, the variable names it', () => {
  expect(find(['account'], { ORGCHAT_FORMAT: 'yaml' })).toBe('yaml');
  expect(find(['account', '--json'], { ORGCHAT_FORMAT: 'yaml' })).toBe('json');
  expect(find(['account'], { ORGCHAT_FORMAT: 'xml' })).toBeUndefined();
});

test.each([
  ['30', 30_000],
  ['500ms', 500],
  ['1.5s', 1_500],
  ['2m', 120_000],
])('%s is %i ms', (text, ms) => {
  expect(duration(text)).toBe(ms);
});

test.each(['1000h', '25d', '2147483648ms', '999999999999'])('no timer can wait %s', (text) => {
  for (const read of [duration, positiveDuration])
    expect(() => read(text)).toThrow('It must be at most 24d.');
});

test('a timer can wait as long as a duration may be', () => {
  const longest = duration('24d');
  expect(longest).toBeLessThanOrEqual(2 ** 31 - 1);
  expect(positiveDuration('24d')).toBe(longest);
});

test('off is a number too', () => {
  expect([integerOrOff(1)('off'), integerOrOff(1)('5')]).toEqual([false, 5]);
  expect(() => integerOrOff(1)('0')).toThrow();
});

test.each(['', ' ', ',', 'id,', ',id', 'id, ,name'])('%j has an empty word', (text) => {
  expect(() => words('id,name')(text)).toThrow('It must be words without empty ones, such as id,name.');
});

test('white space around words does not count', () => {
  expect(words('id,name')(' id, name')).toEqual(['id', 'name']);
});
