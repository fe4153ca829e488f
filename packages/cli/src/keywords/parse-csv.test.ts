import { describe, expect, test } from 'vitest';
import { CliError } from '../errors/cli-error.ts';
import { parseCsv, separators } from './parse-csv.ts';
import { readKeywords, toKeywordList } from './read-keywords.ts';

test.each([
  ['quotes and separators in a cell', 'a,"b, ""c"""\n', [['a', 'b, "c"']]],
  [
    'semicolons',
    'a;b\nc;d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a separator in a quoted cell of the first line', '"a, b";c\n', [['a, b', 'c']]],
  ['line ends of Windows, and empty lines', 'a\r\n\r\nb\r\n', [['a'], ['b']]],
  ['empty cells', 'a,,b,\n', [['a', '', 'b', '']]],
  ['empty quoted cells', '"",a\n', [['', 'a']]],
  ['an empty first line', '\na;b\n', [['a', 'b']]],
  ['tabs around empty cells', 'a\t\t"b"\t\n', [['a', '', 'b', '']]],
  ['rows of different lengths', 'a\nb,c', [['a'], ['b', 'c']]],
  ['white space around a quoted cell', 'a, "b,c" \nd', [['a', 'b,c'], ['d']]],
  ['quotes within a cell', 'a "b" c,d', [['a "b" c', 'd']]],
  ['one quote within a cell', '5" nails,d', [['5" nails', 'd']]],
  ['text behind a closing quote', '"a" b,c', [['"a" b', 'c']]],
])('%s', (_what, text, cells) => {
  expect(parseCsv(text).map((row) => row.cells)).toEqual(cells);
});

test('knows the line of a row', () => {
  expect(parseCsv('a\r\n\r\nü\r\n"d"').map(({ line }) => line)).toEqual([1, 3, 4]);
});

test.each([
  ['is never closed', 'a,b\nc,"d\ne,f\n', 2, 2],
  ['is closed on another line', 'a\n"b\nc"\nd', 2, 1],
  ['is closed on another line, with text behind it', 'id,a\n1,"a\n2,b\n3,"c"\n4,d\n', 2, 2],
  ['is closed on another line, in a column that is not read', 'a,b\nc,"d\ne,",f"\ng,h\n', 2, 2],
  ['has one more quote before its text', 'a\n\n""b"\n', 3, 1],
  ['has one more quote before its end', 'a\n"b""\n"c"\n', 2, 1],
  ['has a separator behind one more quote', 'a,b\n"c"","d"\n', 2, 1],
  ['has a separator before its closing quote and text behind it', 'a,b\n"c, d" e,f\n', 2, 1],
])('a quoted cell that %s is an error with its place', (_what, text, line, column) => {
  expect(() => parseCsv(text)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', exit: 3, extra: { line, column } }),
  );
});

test.each([
  ['in the file of an old Mac', 'a,b\rc,d\r', 1],
  ['before a quote', 'a,b\r\nc,d\r"\n', 2],
])('a carriage return %s is an error with its line', (_what, text, line) => {
  expect(() => parseCsv(text)).toThrow(expect.objectContaining({ exit: 3, extra: { line } }));
});

describe('one quote too many', () => {
  const words = Array.from({ length: 30 }, (_, index) => (index % 5 === 0 ? `größe ${index}` : `w${index}`));
  const columns = {
    'the only column': (word: string) => [word],
    'the second of three columns': (word: string, index: number) => [
      String(index),
      word,
      index % 3 ? 'x' : '',
    ],
  };
  const quoting = {
    unquoted: (cell: string) => cell,
    quoted: (cell: string) => `"${cell}"`,
    'quoted if needed': (cell: string) => (cell.includes(' ') ? `"${cell}"` : cell),
  };
  const cases = separators.flatMap((separator) =>
    Object.entries(columns).flatMap(([where, toCells]) =>
      Object.entries(quoting).flatMap(([how, quote]) =>
        [true, false].flatMap((hasHeader) =>
          ['\n', '\r\n'].map((lineEnd) => {
            const header = toCells('keyword', 0).length === 1 ? ['keyword'] : ['id', 'keyword', 'note'];
            const rows = words.map(toCells);
            const lines = (hasHeader ? [header, ...rows] : rows).map((row) => row.map(quote).join(separator));
            const column = hasHeader || header.length === 1 ? undefined : '2';
            const name = `${JSON.stringify(separator)}, ${how}, ${hasHeader ? 'header' : 'no header'}, ${JSON.stringify(lineEnd)}, ${where}`;
            return { name, text: lines.join(lineEnd) + lineEnd, column };
          }),
        ),
      ),
    ),
  );

  /** The keywords that are sent; undefined if the file is refused. */
  function read(text: string, column: string | undefined): readonly string[] | undefined {
    try {
      return toKeywordList(readKeywords(text, 'csv', column)).keywords;
    } catch (error) {
      if (error instanceof CliError && error.exit === 3) return undefined;
      throw error;
    }
  }

  test.each(cases)('at any place of a file loses no row: $name', ({ text, column }) => {
    expect(read(text, column)).toEqual(words);
    for (let at = 0; at <= text.length; at++) {
      const keywords = read(`${text.slice(0, at)}"${text.slice(at)}`, column);
      if (keywords !== undefined && keywords.length < words.length)
        expect.fail(`A quote at ${at} leaves ${keywords.length} of ${words.length} keywords.`);
      // Only the keyword with the quote may differ.
      const others = words.filter((word) => keywords?.includes(word) === false);
      if (others.length > 1) expect.fail(`A quote at ${at} changes ${others.join(', ')}.`);
    }
  });
});
