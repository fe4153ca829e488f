import { expect, test } from 'vitest';
import { createMask } from './write-cli-error.ts';

const mask = createMask({
  ORGCHAT_API_KEY: ' sk-secret-1 ',
  ORGCHAT_JOURNAL: 'postgres://ci:pass%2Fword1@db/orgchat',
});

test.each([
  ['the key is sk-secret-1.', 'the key is ….'],
  ['failed for pass/word1 and pass%2Fword1', 'failed for … and …'],
  ['"postgres://ci:short@db/x" is not an operation id', '"postgres://ci:…@db/x" is not an operation id'],
  ['redis://:short@db and https://u:p@h', 'redis://:…@db and https://u:…@h'],
  ['https://h:8080/a@b and http://[::1]:80/', 'https://h:8080/a@b and http://[::1]:80/'],
])('secrets are masked in %j', (text, expected) => {
  expect(mask(text)).toBe(expected);
});

test('a variable that is not a URL is masked as a whole', () => {
  expect(createMask({ ORGCHAT_JOURNAL: 'ci:geheim@db' })('got ci:geheim@db')).toBe('got …');
});
