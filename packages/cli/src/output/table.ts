import { displayWidth, padEnd } from './display-width.ts';
import { escapeLine } from './escape.ts';
import { flatten, getField } from './pick-fields.ts';
import { fitColumns, gap } from './table-layout.ts';
import { createPainter } from './terminal.ts';

const bold = (text: string): string => createPainter('stdout')('bold', text);

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return escapeLine(typeof value === 'string' ? value : JSON.stringify(value));
}

export interface TableOptions {
  /** Columns of the terminal; undefined shows everything, since another program may read it. */
  readonly room: number | undefined;
  /** Hides no column, even if rows are then too wide. */
  readonly keepAll: boolean;
  /** Lines below rows, indented and never truncated. */
  readonly below?: readonly (readonly string[])[];
}

export interface Table {
  readonly text: string;
  /** Names of the columns that found no room. */
  readonly hidden: readonly string[];
}

/** A table of many records, one per row. */
export function rowTable(rows: readonly unknown[], names: readonly string[], options: TableOptions): Table {
  if (rows.length === 0) return { text: '', hidden: [] };
  const all = names.map((name) => ({
    name,
    head: escapeLine(name.replace(/([a-z])([A-Z])/g, '$1 $2').toUpperCase()),
    cells: rows.map((row) => cell(getField(row, name))),
  }));
  const { columns, hidden } = fitColumns(all, options.room, options.keepAll);
  const line = (getText: (column: (typeof columns)[number]) => string): string =>
    columns
      .map((column) => padEnd(getText(column), column.width))
      .join(gap)
      .trimEnd();
  const lines = [
    bold(line(({ head }) => head)),
    ...rows.flatMap((_, at) => {
      const row = line(({ cells }) => cells[at] ?? '');
      return [row, ...(options.below?.[at] ?? []).map((text) => `    ${escapeLine(text)}`)];
    }),
  ];
  return { text: `${lines.join('\n')}\n`, hidden };
}

/** A table of one record, with one field per row. */
export function fieldTable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${cell(value)}\n`;
  const fields = flatten(value as Record<string, unknown>)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]): [string, unknown] => [escapeLine(name), part]);
  const width = Math.max(0, ...fields.map(([name]) => displayWidth(name)));
  return fields.map(([name, part]) => `${bold(padEnd(name, width))}${gap}${cell(part)}\n`).join('');
}
