import { expect, test } from 'vitest';
import { createKeywordList, splitIntoRequests } from './keyword-list.ts';

test('keywords are trimmed and taken once; letter case and width count', () => {
  const { keywords, duplicates, invalid } = createKeywordList([' a ', 'a', 'A', 'ａ', 'b', 'b ']);
  expect([keywords, duplicates, invalid]).toEqual([['a', 'A', 'ａ', 'b'], 2, []]);
});

test.each<[unknown, string]>([
  ['', 'empty'],
  [' \t', 'empty'],
  ['x'.repeat(81), 'longer than 80 characters'],
  ['𠮷'.repeat(81), 'longer than 80 characters'],
  ['half \ud842', 'not valid Unicode'],
  ['two\nlines', 'not plain text: it contains a line end (U+000A)'],
  ['two\rlines', 'not plain text: it contains a line end (U+000D)'],
  ['two\u2028lines', 'not plain text: it contains a line end (U+2028)'],
  ['a\tb', 'not plain text: it contains a tab (U+0009)'],
  ['a\0b', 'not plain text: it contains a control character (U+0000)'],
  ['ú\u0096{', 'not plain text: it contains a control character (U+0096)'],
  [undefined, 'not a string'],
  [7, 'not a string'],
  [['a'], 'not a string'],
])('%j is %s', (keyword, reason) => {
  const { keywords, invalid } = createKeywordList(['fine', keyword]);
  expect([keywords, invalid]).toEqual([['fine'], [{ index: 1, keyword, reason }]]);
});

test.each(['x'.repeat(80), '𠮷'.repeat(80), ` ${'x'.repeat(80)} `])('%s fits', (keyword) => {
  expect(createKeywordList([keyword]).keywords).toEqual([keyword.trim()]);
});

test('a request takes fifty', () => {
  const chunks = splitIntoRequests(Array.from({ length: 101 }, String));
  expect(chunks.map((chunk) => chunk.length)).toEqual([50, 50, 1]);
  expect(chunks.flat()).toHaveLength(101);
});
