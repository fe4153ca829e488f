export interface CsvRow {
  readonly cells: readonly string[];
  /** The line the row begins on, from 1. */
  readonly line: number;
}

/** Reads CSV as RFC 4180 has it: quoted cells may hold separators, line ends and doubled quotes. */
export function parseCsv(text: string): CsvRow[] {
  const separator = separatorOf(text);
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let begun = 1;
  const endRow = (): void => {
    cells.push(cell);
    cell = '';
    if (cells.length > 1 || cells[0]?.trim()) rows.push({ cells, line: begun });
    cells = [];
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === '\n') line++;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at];
      else quoted = false;
    } else if (sign === '"' && cell.trim() === '') {
      cell = '';
      quoted = true;
    } else if (sign === separator) {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n') {
      endRow();
      begun = line;
    } else if (sign !== '\r') cell += sign;
  }
  endRow();
  return rows;
}

/** Spreadsheets of some countries write a semicolon, others a tab. */
function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return [',', ';', '\t'].find((sign) => first.includes(sign)) ?? ',';
}
