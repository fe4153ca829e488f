import { expect, test } from 'vitest';
import { toShellWord } from './shell-word.ts';

test.each([
  ['words.txt', 'words.txt'],
  ['./lists/a-b_c@2.csv', './lists/a-b_c@2.csv'],
  ['my words.txt', "'my words.txt'"],
  ["it's.txt", "'it'\\''s.txt'"],
  ['$(rm).txt', "'$(rm).txt'"],
  ['', "''"],
])('%j is written as %s', (word, written) => {
  expect(toShellWord(word)).toBe(written);
});
