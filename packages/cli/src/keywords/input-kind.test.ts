import { describe, expect, test } from 'vitest';
import { findInputKind, requirePlainList } from './input-kind.ts';

describe('without --input, what may not be a plain list is refused', () => {
  test.each([
    ['a JSON array', '[\n  "summer",\n  "sale"\n]\n', 1],
    ['a JSON array on one line', '\n  ["summer", "sale"]', 2],
    ['JSON lines', '{"keyword":"b4"}\n{"keyword":"b5"}\n', 1],
    ['JSON texts', '"summer"\n"sale"\n', 1],
    ['the inside of a JSON array', '"summer",\n"sale"\n', 1],
    ['a CSV', 'keyword,volume\nsummer,100\n', 1],
    ['a CSV with semicolons', 'id;"Keyword"\n1;summer\n', 1],
    ['a CSV of one column', 'keyword\nsummer\n', 1],
    ['a YAML list', '- summer\n- sale\n', 1],
    ['a YAML list below a key', '# ours\nkeywords:\n  - summer\n', 3],
    ['a Markdown list', '* summer\n* sale\n', 1],
    ['a page', '<!doctype html>\n<html>', 1],
  ])('%s', (_what, text, line) => {
    const refused = expect.objectContaining({
      exit: 3,
      code: 'INVALID_INPUT',
      extra: { line },
      hint: expect.stringContaining('--input text'),
    });
    expect(() => findInputKind('-', text, {})).toThrow(refused);
    expect(() => findInputKind('words.txt', text, {})).toThrow(refused);
    expect(() => requirePlainList(text)).toThrow(refused);
    expect(findInputKind('-', text, { input: 'text' })).toBe('text');
  });

  test.each(['words.json', 'words.YAML', 'words.yml', 'words.tsv', 'words.xlsx'])(
    'a file named %s',
    (file) => {
      expect(() => findInputKind(file, 'summer\n', {})).toThrow(
        expect.objectContaining({ exit: 3, hint: expect.stringContaining('--input text') }),
      );
      expect(findInputKind(file, 'summer\n', { input: 'text' })).toBe('text');
    },
  );

  test('a CSV by name that is JSON', () => {
    expect(() => findInputKind('words.csv', '["summer"]', {})).toThrow(/JSON/);
  });

  test('a column of a plain list', () => {
    for (const input of [undefined, 'text'] as const)
      expect(() => findInputKind('-', 'id\n1\n', { input, column: 'id' })).toThrow(/--column/);
  });
});

test.each([
  ['words.txt', 'summer\nsale - 50 %\n- 20 %\n', 'text'],
  ['-', '2024\n2025\n', 'text'],
  ['-', '#summer\nParis, France\nbest keyword, ever\n', 'text'],
  ['-', 'keyword', 'text'],
  ['-', 'summer\nthe keyword,volume pair\n[sale]\n', 'text'],
  ['-', '"best" shoes\n', 'text'],
  ['-', '', 'text'],
  ['words.CSV', '"keyword",volume\n"summer",1\n', 'csv'],
  ['words.jsonl', '"summer"\n', 'jsonl'],
  ['words.ndjson', '{"keyword":"a"}\n', 'jsonl'],
] as const)('%s with %j is read as %s', (file, text, kind) => {
  expect(findInputKind(file, text, {})).toBe(kind);
});
