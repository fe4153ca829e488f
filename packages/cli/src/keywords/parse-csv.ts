import { CsvError, parse } from 'csv-parse/sync';

export interface CsvRow {
  readonly cells: readonly string[];
  /** The first line of the row, from 1. */
  readonly line: number;
}

/** Reads CSV (RFC 4180): quoted cells may contain separators, line ends and doubled quotes. Empty lines are skipped. */
export function parseCsv(text: string): CsvRow[] {
  try {
    return parseRows(text, true);
  } catch (error) {
    switch (error instanceof CsvError ? error.code : undefined) {
      case 'CSV_QUOTE_NOT_CLOSED':
        // A quote that is not closed extends to the end.
        return parseCsv(`${text}"`);
      case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
        // Text behind a closing quote: then the quotes of that cell are part of it.
        return parseRows(text, false);
      default:
        throw error;
    }
  }
}

function parseRows(text: string, rtrim: boolean): CsvRow[] {
  const input = Buffer.from(text);
  const rows: CsvRow[] = [];
  let end = 0;
  let line = 1;
  parse(input, {
    delimiter: findSeparator(text),
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    relax_quotes: true,
    ltrim: true,
    rtrim,
    on_record(cells, { bytes }) {
      if (cells.length > 1 || cells[0] !== '') rows.push({ cells, line });
      // The parser counts a line end of Windows within a cell as two lines.
      line += countLineEnds(input.subarray(end, bytes));
      end = bytes;
      return null;
    },
  });
  return rows;
}

const lineEnd = '\n'.charCodeAt(0);
const countLineEnds = (bytes: Uint8Array): number => bytes.filter((byte) => byte === lineEnd).length;

/** Spreadsheets in some countries write a semicolon, others a tab. */
function findSeparator(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return [',', ';', '\t'].find((sign) => first.includes(sign)) ?? ',';
}
