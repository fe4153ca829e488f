import { expect, test } from 'vitest';
import { createProgram } from '../program.ts';
import { readCommandLine } from './command-line.ts';
import { findRequestedFormat } from './global-options.ts';
import { duration, integerOrOff, words } from './value-parsers.ts';

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
