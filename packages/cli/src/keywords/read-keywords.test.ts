import { expect, test } from 'vitest';
import { hasGroups, readKeywords, toKeywordList } from './read-keywords.ts';

test('a column by its name, by its number, or the only one', () => {
  expect(readKeywords('x,Term\n1,a', 'csv', 'term').map(({ keyword }) => keyword)).toEqual(['a']);
  expect(readKeywords('1,a\n2,b', 'csv', '2').map(({ keyword }) => keyword)).toEqual(['a', 'b']);
  expect(readKeywords('a\nb', 'csv', undefined).map(({ keyword }) => keyword)).toEqual(['a', 'b']);
  expect(() => readKeywords('x,y\n1,2', 'csv', 'term')).toThrow('no column "term"');
});

test.each([
  ['keyword,group\na,x', 'csv', undefined, true],
  ['\nkeyword;Group\na;x', 'csv', undefined, true],
  ['group\na', 'csv', undefined, false],
  ['keyword,group\na,x', 'csv', 'group', false],
  ['keyword,group', 'text', undefined, false],
  ['{"keyword":"a","group":"x"}', 'jsonl', undefined, true],
  ['"a"\n', 'jsonl', undefined, false],
  ['', 'csv', undefined, false],
] as const)('whether %j names groups as %s with the column %s: %s', (text, kind, column, expected) => {
  expect(hasGroups(text, kind, column)).toBe(expected);
});

test('empty lines are dropped, and a keyword that is too long is reported by its line', () => {
  const found = ['', ' a ', 'a', ' ', 'x'.repeat(81)].map((keyword, index) => ({ keyword, line: index + 1 }));
  expect(toKeywordList(found)).toEqual({
    keywords: ['a'],
    duplicates: 1,
    invalid: [{ line: 5, keyword: 'x'.repeat(81), reason: 'longer than 80 characters' }],
  });
});

test.each([
  [
    'a row without the column',
    'id,keyword\n1,a\n\n2\n3,c',
    'The number of columns differs: 1 in line 4, 2 in line 1. Nothing was sent.',
  ],
  [
    'a keyword that is cut off',
    'keyword\na\nred, green\n',
    'The number of columns differs: 2 in line 3, 1 in line 1. Nothing was sent.',
  ],
])('%s is an error with its line', (_what, text, message) => {
  expect(() => readKeywords(text, 'csv', undefined)).toThrow(expect.objectContaining({ message, exit: 3 }));
});

test('a spreadsheet may end rows with empty columns', () => {
  expect(readKeywords('keyword\na,,\nb,\n', 'csv', undefined).map(({ keyword }) => keyword)).toEqual([
    'a',
    'b',
  ]);
});

test.each([
  ['a plain list', 'text', 'a\nb\tc\nd', 2],
  ['a CSV', 'csv', 'keyword\na\n"b\tc"\nd', 3],
  ['JSON lines', 'jsonl', '"a"\n{"keyword":"b\\nc"}\n"d"', 2],
  ['a file with the line ends of old Macs', 'text', 'a\rb\rc', 1],
] as const)('a control character in %s is invalid, with its line', (_what, kind, text, line) => {
  expect(toKeywordList(readKeywords(text, kind, undefined)).invalid).toMatchObject([
    { line, reason: expect.stringMatching(/^not plain text/) },
  ]);
});
