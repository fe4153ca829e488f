import { invalidInputError } from '../errors/cli-error.ts';

export interface CsvRow {
  readonly cells: readonly string[];
  /** Its line in the file, from 1. */
  readonly line: number;
}

/** Spreadsheets in some countries write a semicolon, others a tab. */
export const separators = [',', ';', '\t'] as const;
type Separator = (typeof separators)[number];

/**
 * Reads CSV (RFC 4180) of which each row is one line. Quoted cells may contain separators and doubled quotes. Empty lines
 * are skipped. A quote inside an unquoted cell is text, as in `5" nails`.
 *
 * A quoted cell that does not end on its line is an error, although RFC 4180 allows line ends in cells: a quote by mistake
 * would take the rows up to the next quote into its cell.
 */
export function parseCsv(text: string): CsvRow[] {
  const lines = text.split(/\r?\n/);
  const separator = findSeparator(lines.find((line) => line.trim() !== '') ?? '');
  const quoted = quotedCells[separator];
  return lines.flatMap((line, index) => {
    const number = index + 1;
    // As in files of old Macs, or where a quote parts the line end of Windows.
    if (line.trimEnd().includes('\r')) throw carriageReturnError(number);
    return line.trim() === '' ? [] : [{ cells: parseRow(line, separator, quoted, number), line: number }];
  });
}

const quotedCells: Readonly<Record<Separator, RegExp>> = {
  ',': /\s*"((?:[^"]|"")*)"\s*(?=,|$)/y,
  ';': /\s*"((?:[^"]|"")*)"\s*(?=;|$)/y,
  '\t': /[^\S\t]*"((?:[^"]|"")*)"[^\S\t]*(?=\t|$)/y,
};

function parseRow(line: string, separator: Separator, quoted: RegExp, number: number): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= line.length; at++) {
    quoted.lastIndex = at;
    const [whole, content] = quoted.exec(line) ?? [];
    const end = line.indexOf(separator, at);
    const raw = whole ?? line.slice(at, end === -1 ? undefined : end);
    const cell = content?.replaceAll('""', '"') ?? raw.trim();
    if (content === undefined && hasOpenQuote(cell)) throw openQuoteError(number, cells.length + 1);
    cells.push(cell);
    at += raw.length;
  }
  return cells;
}

/** Whether a cell begins with a quote and its quotes are not in pairs, as they are in `"best" shoes`. */
const hasOpenQuote = (cell: string): boolean => cell.startsWith('"') && cell.split('"').length % 2 === 0;

const openQuoteError = (line: number, column: number) =>
  invalidInputError(
    `Line ${line}, column ${column}: the cell begins with a quote that is not closed on this line. Nothing was sent.`,
    'Remove the quote, or close it. Inside a quoted cell, write a quote twice (""). A cell cannot contain line ends.',
    { line, column },
  );

const carriageReturnError = (line: number) =>
  invalidInputError(
    `Line ${line} contains a carriage return (U+000D) that does not end the line. Nothing was sent.`,
    'Save the file with the line ends of Windows or Unix. A cell cannot contain line ends.',
    { line },
  );

/** The separator of the first line. Those in quotes do not count, unless there are no others. */
function findSeparator(first: string): Separator {
  const isIn = (text: string) => (sign: Separator) => text.includes(sign);
  const unquoted = first.replace(/"[^"]*"/g, '');
  return separators.find(isIn(unquoted)) ?? separators.find(isIn(first)) ?? ',';
}
