import { createKeywordList } from '@orgchat/sdk/internal';
import { isObject } from '@orgchat/spec/is-object';
import { invalidInputError, usageError } from '../errors/cli-error.ts';
import type { InputKind } from './input-kind.ts';
import { type CsvRow, parseCsv } from './parse-csv.ts';

/** A keyword and the line it came from. */
export interface FoundKeyword {
  readonly keyword: string;
  readonly line: number;
}

export interface KeywordList {
  /** Trimmed, each once, in the order of the file. */
  readonly keywords: readonly string[];
  readonly duplicates: number;
  /** Keywords that the API would reject. */
  readonly invalid: readonly { readonly line: number; readonly keyword: string; readonly reason: string }[];
}

/** Reads keywords out of a text; `column` names a CSV's column or a field of JSON lines. */
export function readKeywords(text: string, kind: InputKind, column: string | undefined): FoundKeyword[] {
  switch (kind) {
    case 'text':
      return text.split(/\r?\n/).map((keyword, index) => ({ keyword, line: index + 1 }));
    case 'csv':
      return fromCsv(text, column);
    case 'jsonl':
      return fromJsonLines(text, column);
  }
}

/** Whether a file names the group of each keyword, which is not read. Its first row or object shows that. */
export function hasGroups(text: string, kind: InputKind, column: string | undefined): boolean {
  const first = text.split(/\r?\n/).find((line) => line.trim() !== '') ?? '';
  if (first === '' || kind === 'text' || column?.toLowerCase() === groupName) return false;
  if (kind === 'jsonl') {
    const value = parseLine(first, 1);
    return isObject(value) && groupName in value;
  }
  const cells = parseCsv(first)[0]?.cells ?? [];
  return cells.length > 1 && cells.some((cell) => cell.trim().toLowerCase() === groupName);
}

const groupName = 'group';

function fromCsv(text: string, column: string | undefined): FoundKeyword[] {
  const [head, ...rows] = parseCsv(text);
  if (head === undefined) return [];
  const number = column !== undefined && /^\d+$/.test(column) ? Number(column) - 1 : undefined;
  const name = column ?? 'keyword';
  const named = head.cells.findIndex((cell) => cell.trim().toLowerCase() === name.toLowerCase());
  const only = column === undefined && head.cells.length === 1 ? 0 : -1;
  const at = named !== -1 ? named : (number ?? only);
  if (at < 0 || at >= head.cells.length) {
    throw usageError(
      `The CSV has no column "${name}".`,
      `Choose a column with --column: ${head.cells.map((cell) => cell.trim()).join(', ')}. Column numbers start at 1.`,
    );
  }
  // If the column is selected by number or is the only one, the first row may contain a keyword.
  const body = named !== -1 ? rows : [head, ...rows];
  return body.map(({ cells, line }) => {
    const keyword = cells[at];
    const isLonger = cells.slice(head.cells.length).some((cell) => cell !== '');
    if (keyword === undefined || isLonger) throw columnCountError(line, cells.length, head);
    return { keyword, line };
  });
}

/** The cells of such a row are not those of the columns. Its keyword would be cut off or missing without a word. */
const columnCountError = (line: number, count: number, head: CsvRow) =>
  invalidInputError(
    `The number of columns differs: ${count} in line ${line}, ${head.cells.length} in line ${head.line}. Nothing was sent.`,
    'Quote cells that contain a separator. For a plain list of words, pass --input text.',
    { line },
  );

function fromJsonLines(text: string, column = 'keyword'): FoundKeyword[] {
  return text.split(/\r?\n/).flatMap((source, index): FoundKeyword[] => {
    const line = index + 1;
    if (source.trim() === '') return [];
    const value = parseLine(source, line);
    const keyword =
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[column] : value;
    if (typeof keyword === 'string') return [{ keyword, line }];
    throw invalidInputError(
      `Line ${line} contains no keyword.`,
      `Each line must be a string, or an object with the field "${column}" (--column).`,
    );
  });
}

function parseLine(source: string, line: number): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    throw invalidInputError(
      `Line ${line} is not valid JSON.`,
      'For a plain list of words, pass --input text.',
    );
  }
}

/** Applies the rules of the API to the keywords of a file, and drops empty lines. */
export function toKeywordList(found: readonly FoundKeyword[]): KeywordList {
  const given = found.filter(({ keyword }) => keyword.trim() !== '');
  const { keywords, duplicates, invalid } = createKeywordList(given.map(({ keyword }) => keyword));
  return {
    keywords,
    duplicates,
    invalid: invalid.map(({ index, keyword, reason }) => ({
      line: given[index]?.line ?? 0,
      keyword: String(keyword).trim(),
      reason,
    })),
  };
}
