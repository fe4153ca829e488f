import { describe, expect, test } from 'vitest';
import { parseCsv } from './parse-csv.ts';
import { readKeywords, toKeywordList } from './read-keywords.ts';

describe('CSV', () => {
  test.each([
    ['quotes, separators and line ends in a cell', 'a,"b, ""c""\nd"\n', [['a', 'b, "c"\nd']]],
    [
      'semicolons',
      'a;b\nc;d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['line ends of Windows, and empty lines', 'a\r\n\r\nb\r\n', [['a'], ['b']]],
    ['empty cells', 'a,,b\n', [['a', '', 'b']]],
    ['rows of different lengths', 'a\nb,c', [['a'], ['b', 'c']]],
    ['white space around a quoted cell', 'a, "b,c" \nd', [['a', 'b,c'], ['d']]],
    ['quotes within a cell', 'a "b" c,d', [['a "b" c', 'd']]],
    ['text behind a closing quote', '"a"b,c', [['"a"b', 'c']]],
    ['a quote that is not closed', 'a,"b\nc', [['a', 'b\nc']]],
  ])('%s', (_what, text, cells) => {
    expect(parseCsv(text).map((row) => row.cells)).toEqual(cells);
  });

  test('knows the line a row begins on', () => {
    expect(parseCsv('a\n"b\nc"\nd').map(({ line }) => line)).toEqual([1, 2, 4]);
    expect(parseCsv('a\r\n\r\n"b\r\nc"\r\nü\r\nd').map(({ line }) => line)).toEqual([1, 3, 5, 6]);
  });

  test('a column by its name, by its number, or the only one', () => {
    expect(readKeywords('x,Term\n1,a', 'csv', 'term').map(({ keyword }) => keyword)).toEqual(['a']);
    expect(readKeywords('1,a\n2,b', 'csv', '2').map(({ keyword }) => keyword)).toEqual(['a', 'b']);
    expect(readKeywords('a\nb', 'csv', undefined).map(({ keyword }) => keyword)).toEqual(['a', 'b']);
    expect(() => readKeywords('x,y\n1,2', 'csv', 'term')).toThrow('no column "term"');
  });
});

test('empty lines are dropped, and a keyword that is too long is reported by its line', () => {
  const found = ['', ' a ', 'a', ' ', 'x'.repeat(81)].map((keyword, index) => ({ keyword, line: index + 1 }));
  expect(toKeywordList(found)).toEqual({
    keywords: ['a'],
    duplicates: 1,
    invalid: [{ line: 5, keyword: 'x'.repeat(81), reason: 'longer than 80 characters' }],
  });
});
